/** Repetitions: their order, what each gave, and what they say together. */
@NullMarked
package dev.berth.bench.measure;

import org.jspecify.annotations.NullMarked;
