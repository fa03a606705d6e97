/** All of Berth in this JVM, for benches that need brokers. */
@NullMarked
package dev.berth.bench.system;

import org.jspecify.annotations.NullMarked;
