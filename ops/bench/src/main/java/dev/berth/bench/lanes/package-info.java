/** How much of a lane's time is spent in the plugin, and what many lanes do to each other. */
@NullMarked
package dev.berth.bench.lanes;

import org.jspecify.annotations.NullMarked;
