/** The Kafka clients of a worker and the settings that its guarantees rest on. */
@NullMarked
package dev.berth.workers.kafka;

import org.jspecify.annotations.NullMarked;
