/** Reading and writing Berth's topics where no library of its own does. */
@NullMarked
package dev.berth.ops.topics;

import org.jspecify.annotations.NullMarked;
