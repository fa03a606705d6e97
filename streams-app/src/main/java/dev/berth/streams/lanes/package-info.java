/**
 * Which call of a plugin goes out next, and what becomes of it: lanes, retries, holds, pause,
 * attach slots. Pure: {@link dev.berth.streams.lanes.LanesDecider} is the way in, DESIGN.md beside
 * this package says what is guaranteed.
 */
@NullMarked
package dev.berth.streams.lanes;

import org.jspecify.annotations.NullMarked;
