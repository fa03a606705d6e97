/** Incidents as files: from the records of a running system to a scenario that replays them. */
@NullMarked
package dev.berth.ops.record;

import org.jspecify.annotations.NullMarked;
