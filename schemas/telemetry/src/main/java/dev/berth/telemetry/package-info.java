/** What a process shows of itself: meters and health. */
@NullMarked
package dev.berth.telemetry;

import org.jspecify.annotations.NullMarked;
