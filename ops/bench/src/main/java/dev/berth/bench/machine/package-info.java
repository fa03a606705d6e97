/** The machine that is measured on: what it is, and who else uses it. */
@NullMarked
package dev.berth.bench.machine;

import org.jspecify.annotations.NullMarked;
