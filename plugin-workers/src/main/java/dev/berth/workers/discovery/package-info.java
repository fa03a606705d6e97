/** What the plugins are, can do and whether they are well: found out, and published. */
@NullMarked
package dev.berth.workers.discovery;

import org.jspecify.annotations.NullMarked;
