/** The {@code berth bench} commands. */
@NullMarked
package dev.berth.bench.command;

import org.jspecify.annotations.NullMarked;
