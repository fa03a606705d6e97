/** The demonstration: a script of allocs, its run on the embedded stack, and its own check. */
@NullMarked
package dev.berth.ops.demo;

import org.jspecify.annotations.NullMarked;
