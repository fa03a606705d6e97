/** How long a killed process is felt. */
@NullMarked
package dev.berth.bench.failover;

import org.jspecify.annotations.NullMarked;
