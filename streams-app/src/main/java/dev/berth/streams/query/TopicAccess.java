package dev.berth.streams.query;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * How to reach the topics.
 *
 * @param topics their names
 * @param registry where their schemas are
 * @param consumers makes a consumer without a group, of committed records only
 * @param producers makes an idempotent producer that spreads keys as Berth's own does
 */
public record TopicAccess(
    Topics topics,
    Registry registry,
    Supplier<Consumer<String, byte[]>> consumers,
    Supplier<Producer<String, byte[]>> producers) {}
