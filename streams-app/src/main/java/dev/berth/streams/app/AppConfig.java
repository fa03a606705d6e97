package dev.berth.streams.app;

import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.security.SecurityConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;

/**
 * All that the application is told, checked.
 *
 * <table>
 * <caption>Keys of {@link #parse}</caption>
 * <tr><td>{@code bootstrap.servers}</td><td>Kafka brokers; required</td></tr>
 * <tr><td>{@code schema.registry.*}, {@code basic.auth.*}, {@code bearer.auth.*}, {@code proxy.*},
 *     {@code auto.register.schemas}</td><td>the registry; {@code schema.registry.url} is
 *     required</td></tr>
 * <tr><td>{@code topic.prefix}</td><td>first part of every topic name (default {@code
 *     berth})</td></tr>
 * <tr><td>{@code application.id}</td><td>names the group, the transactions and the changelogs
 *     (default {@code <topic.prefix>-streams})</td></tr>
 * <tr><td>{@code state.dir}</td><td>directory of the stores, absolute (default {@code
 *     /var/lib/berth/streams})</td></tr>
 * <tr><td>{@code replication.factor}</td><td>copies of each changelog (default -1: the brokers'
 *     default)</td></tr>
 * <tr><td>{@code standby.replicas}</td><td>warm copies of each store on other instances (default
 *     1)</td></tr>
 * <tr><td>{@code threads}</td><td>stream threads (default: one per core, at most 4)</td></tr>
 * <tr><td>{@code group.protocol}</td><td>{@code classic} (default) or {@code streams}</td></tr>
 * <tr><td>{@code health.port}</td><td>port on the loopback for {@code /health}, {@code /ready} and
 *     {@code /metrics} (default 0: any that is free)</td></tr>
 * <tr><td>{@code log.format}</td><td>{@code text} (default) or {@code json}; for {@code berth
 *     streams}, which writes the log: {@code Main} leaves that to the logging library</td></tr>
 * <tr><td>{@code api.listen}</td><td>where the query API listens, {@code host:port} (default {@code
 *     127.0.0.1:7070}; port 0 takes any that is free). Only the loopback address without
 *     security</td></tr>
 * <tr><td>{@code api.advertised}</td><td>where the other instances reach it, {@code host:port}
 *     (default: where it listens)</td></tr>
 * <tr><td>{@code api.tls.certificate}, {@code api.tls.key}</td><td>PEM files that the API offers TLS
 *     with (PKCS#8 key); needs {@code api.tokens}</td></tr>
 * <tr><td>{@code api.tls.client-ca}</td><td>PEM file of the certificates from which that of every
 *     client must come; its subject's CN then says who calls, unless a token does</td></tr>
 * <tr><td>{@code api.tls.ca}</td><td>PEM file of the certificates from which those of the other
 *     instances must come (default: those that Java trusts)</td></tr>
 * <tr><td>{@code api.tokens}</td><td>file of those who may call, see DESIGN.md of {@code query};
 *     read anew when it changes (default: everybody on this machine may do everything)</td></tr>
 * <tr><td>{@code api.peer-token}</td><td>reference to the token that the instances show each other,
 *     {@code ${file:/path:key}}, {@code ${dir:/path:file}} or {@code ${env:NAME}}</td></tr>
 * <tr><td>{@code policy.<name>.<key>}</td><td>policies under those of the topic, for example {@code
 *     policy.default.rpc-timeout}, {@code policy.plugin/ebs.lane}</td></tr>
 * <tr><td>{@code kafka.*}</td><td>handed to Kafka Streams and its clients</td></tr>
 * </table>
 *
 * @param bootstrapServers Kafka brokers
 * @param registry how to reach the schema registry
 * @param topics the topics of this deployment
 * @param applicationId names the group, the transactions and the changelogs
 * @param stateDirectory directory of the stores
 * @param replicationFactor copies of each changelog (count); -1 leaves it to the brokers
 * @param standbyReplicas warm copies of each store (count)
 * @param threads stream threads (count)
 * @param groupProtocol how the instances share the partitions
 * @param healthPort port of the status server; 0 for any that is free
 * @param api where the query API listens
 * @param apiSecurity who may call it
 * @param policies policies of the configuration, version 0
 * @param kafka settings for Kafka Streams; may hold secrets, therefore never printed
 */
public record AppConfig(
    String bootstrapServers,
    RegistryConfig registry,
    Topics topics,
    String applicationId,
    Path stateDirectory,
    int replicationFactor,
    int standbyReplicas,
    int threads,
    GroupProtocol groupProtocol,
    int healthPort,
    ApiConfig api,
    SecurityConfig apiSecurity,
    Policies policies,
    Map<String, String> kafka) {

  /** How the instances share the partitions. */
  public enum GroupProtocol {
    /** The instances agree among themselves. Every tool knows its groups. */
    CLASSIC,
    /** The broker assigns (KIP-1071). */
    STREAMS
  }

  /** Keeps a copy. */
  public AppConfig {
    kafka = Map.copyOf(kafka);
  }

  /**
   * Reads a flat configuration.
   *
   * @throws IllegalArgumentException naming the key, its value and the remedy when a setting is
   *     missing, unknown or cannot be used
   */
  public static AppConfig parse(Map<String, String> settings) {
    return AppSettings.read(settings);
  }

  @Override
  public String toString() {
    return ("AppConfig[bootstrapServers=%s, registry=%s, prefix=%s, applicationId=%s, stateDirectory=%s,"
            + " replicationFactor=%d, standbyReplicas=%d, threads=%d, groupProtocol=%s,"
            + " healthPort=%d, api=%s, policies=%s, kafka=%s]")
        .formatted(
            bootstrapServers,
            registry,
            topics.prefix(),
            applicationId,
            stateDirectory,
            replicationFactor,
            standbyReplicas,
            threads,
            groupProtocol,
            healthPort,
            api.listen(),
            policies,
            new TreeSet<>(kafka.keySet()));
  }
}
