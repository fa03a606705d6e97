/** The application as a process: configuration, checks before the start, life and health. */
@NullMarked
package dev.berth.streams.app;

import org.jspecify.annotations.NullMarked;
