/** Runs that are killed in the middle and started again on the same data. */
@NullMarked
package dev.berth.ops.lives;

import org.jspecify.annotations.NullMarked;
