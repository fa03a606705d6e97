/** What a person sees: plain text, colour and progress, by where the output goes. */
@NullMarked
package dev.berth.ops.terminal;

import org.jspecify.annotations.NullMarked;
