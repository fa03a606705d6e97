/** What commands that run for long show of themselves. */
@NullMarked
package dev.berth.ops.status;

import org.jspecify.annotations.NullMarked;
