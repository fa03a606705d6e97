/** Load with due times, and latencies from them. */
@NullMarked
package dev.berth.bench.load;

import org.jspecify.annotations.NullMarked;
