/** The subcommands of {@code berth}. */
@NullMarked
package dev.berth.ops.command;

import org.jspecify.annotations.NullMarked;
