/** Benchmarks: what is measured, how, and how it is reported; see DESIGN.md of the module. */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
