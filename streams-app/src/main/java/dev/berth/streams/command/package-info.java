/** What operators and schedulers ask for, and the one answer each of them gets. Pure. */
@NullMarked
package dev.berth.streams.command;

import org.jspecify.annotations.NullMarked;
