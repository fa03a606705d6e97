/** Cluster traces as input: reads them, derives what they lack, replays them as a scheduler. */
@NullMarked
package dev.berth.producers.trace;

import org.jspecify.annotations.NullMarked;
