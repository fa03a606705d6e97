/** The speed of the pure decisions. */
@NullMarked
package dev.berth.bench.core;

import org.jspecify.annotations.NullMarked;
