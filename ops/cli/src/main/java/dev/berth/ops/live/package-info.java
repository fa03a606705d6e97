/** Scenarios on a real stack: each on topics, an application, a worker and drivers of its own. */
@NullMarked
package dev.berth.ops.live;

import org.jspecify.annotations.NullMarked;
