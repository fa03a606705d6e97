/**
 * State as tables, changes to them, and decisions: the shape that the claims, lanes and cluster
 * cores share. Knows no Kafka and no clock.
 */
@NullMarked
package dev.berth.streams.kernel;

import org.jspecify.annotations.NullMarked;
