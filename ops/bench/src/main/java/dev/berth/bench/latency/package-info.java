/** From an event until the plugin is called, beside a pipeline that decides nothing. */
@NullMarked
package dev.berth.bench.latency;

import org.jspecify.annotations.NullMarked;
