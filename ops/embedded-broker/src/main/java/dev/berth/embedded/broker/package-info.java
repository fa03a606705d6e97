/** A real Kafka broker inside this process, for development and tests. */
@NullMarked
package dev.berth.embedded.broker;

import org.jspecify.annotations.NullMarked;
