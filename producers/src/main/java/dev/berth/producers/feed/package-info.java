/** Events as JSON lines: the format (FORMAT.md beside this), and the feeder that says them. */
@NullMarked
package dev.berth.producers.feed;

import org.jspecify.annotations.NullMarked;
