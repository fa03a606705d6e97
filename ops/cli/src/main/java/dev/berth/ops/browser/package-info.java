/** HTTP for a browser on this machine: a session, and what the API lists as JSON. */
@NullMarked
package dev.berth.ops.browser;

import org.jspecify.annotations.NullMarked;
