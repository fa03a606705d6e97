/** The berth command and the embedded stack. */
@NullMarked
package dev.berth.ops;

import org.jspecify.annotations.NullMarked;
