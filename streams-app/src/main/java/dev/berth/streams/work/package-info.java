/** What the claims ask of the lanes and what the lanes answer. */
@NullMarked
package dev.berth.streams.work;

import org.jspecify.annotations.NullMarked;
