package dev.berth.schemas.topics;

import static dev.berth.schemas.topics.Party.API;
import static dev.berth.schemas.topics.Party.CLUSTER;
import static dev.berth.schemas.topics.Party.LANES;
import static dev.berth.schemas.topics.Party.OPERATOR;
import static dev.berth.schemas.topics.Party.SCHEDULER;
import static dev.berth.schemas.topics.Party.VOLUME_CLAIMS;
import static dev.berth.schemas.topics.Party.WORKER;
import static dev.berth.schemas.topics.Retention.days;
import static dev.berth.schemas.topics.Retention.input;
import static dev.berth.schemas.topics.Retention.recent;
import static dev.berth.schemas.topics.Retention.story;
import static dev.berth.schemas.topics.Retention.table;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.ApiSession;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.Command;
import dev.berth.records.CommandResult;
import dev.berth.records.DriftFinding;
import dev.berth.records.FeedPosition;
import dev.berth.records.LaneRequest;
import dev.berth.records.LaneStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeSlots;
import dev.berth.records.NodeView;
import dev.berth.records.Outcome;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.Policy;
import dev.berth.records.SecretsFound;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.records.StuckClaim;
import dev.berth.records.Volume;
import dev.berth.records.Work;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The topic catalogue: the one table from which provisioning, documentation and access control
 * follow. Columns: name without prefix, key, record of the value, partitions, retention, who
 * writes, who reads, purpose.
 *
 * <p>Keys are UTF-8 strings (see {@link Keys}); values are Avro in Confluent's wire format, except
 * those of {@link #REJECTED_RECORDS}, which are the bytes as they came.
 */
// Row and Flow hold records and Set.of: immutable, though the checker cannot see it in their types.
@SuppressWarnings("ImmutableEnumChecker")
public enum Topic {
  // What comes in.
  ALLOC_EVENTS(
      row("alloc-events", "namespace/volume", AllocEvent.class, Partitioning.VOLUME, days(7)),
      from(SCHEDULER).to(VOLUME_CLAIMS),
      "What schedulers say of their allocs, one event per volume that an alloc uses."),
  COMMANDS(
      row(
          "commands",
          "namespace/volume, node or plugin id",
          Command.class,
          Partitioning.VOLUME,
          days(30)),
      from(SCHEDULER, OPERATOR).to(VOLUME_CLAIMS),
      "What operators and schedulers ask for; each command goes to the processor that decides it."),
  NODES(
      row("nodes", "node id", Node.class, Partitioning.CLUSTER, input()),
      from(SCHEDULER, OPERATOR).to(CLUSTER),
      "Nodes as their schedulers see them; a tombstone deletes one."),
  PLUGINS(
      row("plugins", "plugin id/role@node", PluginInstance.class, Partitioning.CLUSTER, input()),
      from(WORKER, OPERATOR).to(CLUSTER, OPERATOR, WORKER),
      "Plugin instances as the workers beside them find them; a tombstone removes one."),
  POLICIES(
      row("policies", "policy name", Policy.class, Partitioning.CLUSTER, input()),
      from(OPERATOR).to(CLUSTER, OPERATOR),
      "Settings per plugin or volume; in a topic, so that a replay knows them."),
  FEED_POSITIONS(
      row("feed-positions", "feed id", FeedPosition.class, Partitioning.KEY, table()),
      from(SCHEDULER).to(SCHEDULER, OPERATOR),
      "How far each feeder has come, written with the events it speaks of."),

  // What comes out.
  VOLUMES(
      row("volumes", "namespace/volume", Volume.class, Partitioning.VOLUME, table()),
      from(VOLUME_CLAIMS).to(SCHEDULER, OPERATOR),
      "Registered volumes."),
  CLAIMS(
      row("claims", "namespace/volume/alloc", Claim.class, Partitioning.VOLUME, table()),
      from(VOLUME_CLAIMS).to(SCHEDULER, OPERATOR),
      "The claim table: one row per claim; a tombstone frees it."),
  ATTACHMENTS(
      row("attachments", "namespace/volume/node", Attachment.class, Partitioning.VOLUME, table()),
      from(VOLUME_CLAIMS).to(OPERATOR),
      "Which volume is attached to which node."),
  CLAIM_REPLIES(
      row("claim-replies", "alloc id", ClaimReply.class, Partitioning.KEY, days(7)),
      from(VOLUME_CLAIMS).to(SCHEDULER),
      "Answers to claims: granted, waiting, rejected."),
  COMMAND_RESULTS(
      row("command-results", "command id", CommandResult.class, Partitioning.KEY, days(30)),
      from(VOLUME_CLAIMS, LANES, CLUSTER).to(SCHEDULER, OPERATOR),
      "The one answer to each command."),
  CLAIM_HISTORY(
      row("claim-history", "namespace/volume", ClaimDecision.class, Partitioning.VOLUME, days(30)),
      from(VOLUME_CLAIMS).to(OPERATOR),
      "Every decision about a volume with its cause; folding it gives the claim table."),
  STUCK_CLAIMS(
      row("stuck-claims", "namespace/volume/alloc", StuckClaim.class, Partitioning.VOLUME, story()),
      from(VOLUME_CLAIMS).to(OPERATOR),
      "The dead letters: claims that need an operator, and how they were resolved."),
  REJECTED_RECORDS(
      row("rejected-records", "key of the source", null, Partitioning.KEY, days(30)),
      from(VOLUME_CLAIMS, LANES, CLUSTER, WORKER).to(OPERATOR),
      "Records nobody could read, as bytes; source and reason are in the headers."),
  LANE_STATUS(
      row("lane-status", "plugin id, attempt id", LaneStatus.class, Partitioning.PLUGIN, table()),
      from(LANES).to(WORKER, OPERATOR),
      "Backlog of each plugin with its oldest open attempts; and each attempt while it waits for a"
          + " worker."),
  NODE_VIEWS(
      row("node-views", "node id", NodeView.class, Partitioning.KEY, table()),
      from(CLUSTER).to(WORKER, OPERATOR),
      "Nodes as Berth has them, with incarnation and fence: what a node worker may carry out."),
  NODE_SLOTS(
      row("node-slots", "plugin id/node id", NodeSlots.class, Partitioning.PLUGIN, table()),
      from(LANES).to(SCHEDULER, OPERATOR),
      "Attach slots in use per plugin and node, for schedulers to plan with."),
  DRIFT_FINDINGS(
      row("drift-findings", "plugin id", DriftFinding.class, Partitioning.PLUGIN, days(30)),
      from(VOLUME_CLAIMS, LANES).to(OPERATOR),
      "Differences between the claim table and what a provider lists."),

  // Work and what becomes of it.
  PLUGIN_WORK(
      row("plugin-work", "plugin id", Work.class, Partitioning.PLUGIN, days(30)),
      from(LANES).to(WORKER),
      "Controller calls to make; at most one open attempt per lane."),
  NODE_WORK(
      row("node-work", "node id", Work.class, Partitioning.NODE, days(30)),
      from(LANES).to(WORKER),
      "Node calls to make; at most one open attempt per lane."),
  WORK_ACCEPTANCES(
      row("work-acceptances", "plugin id", Acceptance.class, Partitioning.LANE, days(30)),
      from(WORKER).to(LANES),
      "Which worker has taken which attempt, written before it calls the plugin."),
  WORK_OUTCOMES(
      row("work-outcomes", "plugin id", Outcome.class, Partitioning.LANE, days(30)),
      from(WORKER).to(LANES),
      "What became of each call."),
  SECRETS_FOUND(
      row("secrets-found", "plugin id", SecretsFound.class, Partitioning.LANE, days(1)),
      from(WORKER).to(LANES),
      "References to secrets that led nowhere and lead somewhere now; never their values."),
  PLUGIN_LISTINGS(
      row("plugin-listings", "plugin id", PluginListing.class, Partitioning.LANE, days(1)),
      from(WORKER).to(LANES),
      "Pages of what plugins list as published, for finding drift."),

  // Between the processors.
  LANE_REQUESTS(
      row("lane-requests", "plugin id", LaneRequest.class, Partitioning.LANE, days(7)),
      from(VOLUME_CLAIMS).to(LANES),
      "Calls that claims need."),
  SETTLEMENTS(
      row("settlements", "namespace/volume", Settlement.class, Partitioning.VOLUME, days(7)),
      from(LANES).to(VOLUME_CLAIMS),
      "What became of those calls."),
  CLUSTER_COMMANDS(
      row("cluster-commands", "node id or gc", Command.class, Partitioning.CLUSTER, days(7)),
      from(VOLUME_CLAIMS).to(CLUSTER),
      "Commands that Cluster decides: fence, unfence, gc."),
  VOLUME_SIGNALS(
      row("volume-signals", "none", Signal.class, Partitioning.VOLUME, days(7)),
      from(CLUSTER).to(VOLUME_CLAIMS),
      "Changes of nodes, plugins and policies, one copy to every partition."),
  LANE_SIGNALS(
      row(
          "lane-signals",
          "none; plugin id for a command",
          Signal.class,
          Partitioning.LANE,
          days(7)),
      from(CLUSTER, VOLUME_CLAIMS).to(LANES),
      "The same changes, one copy to every partition; and pause and resume of one plugin."),

  // Between the instances of the API.
  API_SESSIONS(
      row("api-sessions", "SHA-256 of a token", ApiSession.class, Partitioning.KEY, recent()),
      from(API).to(API),
      "One-time tokens and sessions of browsers, by their hashes alone.");

  /**
   * The largest record of the topics that Berth's processors write (bytes), and of their
   * changelogs. What they write grows beyond what they have read: {@link #CLAIM_HISTORY} names
   * every claim that one decision ends, {@link #LANE_STATUS} the oldest open attempts, a volume's
   * row two registrations, {@link #REJECTED_RECORDS} a record and what is said of it. Kafka's
   * default of 1 MiB, which is enough for what comes in, is not for what follows from it.
   */
  public static final int LARGEST_RECORD = 8 * 1024 * 1024;

  private static final Set<Party> PROCESSORS = Set.of(VOLUME_CLAIMS, LANES, CLUSTER);

  private final Row row;
  private final Flow flow;
  private final String purpose;

  Topic(Row row, Flow flow, String purpose) {
    this.row = row;
    this.flow = flow;
    this.purpose = purpose;
  }

  /** Returns the name without prefix; see {@link Topics#name} for the name on the cluster. */
  public String suffix() {
    return row.suffix();
  }

  /** Returns what the key is, in words. */
  public String key() {
    return row.key();
  }

  /** Returns the class of the values; empty when they are bytes as they came. */
  public Optional<Class<? extends SpecificRecord>> record() {
    return Optional.ofNullable(row.record());
  }

  /** Returns the schema of the values; empty when they are bytes as they came. */
  public Optional<Schema> schema() {
    return record().map(type -> SpecificData.get().getSchema(type));
  }

  /** Returns how records are spread over partitions. */
  public Partitioning partitioning() {
    return row.partitioning();
  }

  /** Returns how long records stay. */
  public Retention retention() {
    return row.retention();
  }

  /** Returns who writes to it. */
  public Set<Party> writers() {
    return flow.writers();
  }

  /** Returns who reads it. */
  public Set<Party> readers() {
    return flow.readers();
  }

  /** Returns what it is for, in one sentence. */
  public String purpose() {
    return purpose;
  }

  /**
   * Returns the settings the topic is created with, by Kafka's names. Compression is the producers'
   * choice.
   */
  public Map<String, String> configs() {
    Map<String, String> configs = new TreeMap<>(retention().configs());
    if (writers().contains(SCHEDULER) && retention() instanceof Retention.ByAge) {
      // Retention must not depend on the clocks of others: a scheduler a month slow would write
      // records that the broker deletes before anybody has read them.
      configs.put("message.timestamp.type", "LogAppendTime");
    }
    if (!Collections.disjoint(writers(), PROCESSORS)) {
      configs.put("max.message.bytes", Integer.toString(LARGEST_RECORD));
    }
    return configs;
  }

  private static Row row(
      String suffix,
      String key,
      @Nullable Class<? extends SpecificRecord> record,
      Partitioning partitioning,
      Retention retention) {
    return new Row(suffix, key, record, partitioning, retention);
  }

  private static From from(Party... writers) {
    return new From(Set.of(writers));
  }

  private record Row(
      String suffix,
      String key,
      @Nullable Class<? extends SpecificRecord> record,
      Partitioning partitioning,
      Retention retention) {}

  private record From(Set<Party> writers) {
    Flow to(Party... readers) {
      return new Flow(writers, Set.of(readers));
    }
  }

  private record Flow(Set<Party> writers, Set<Party> readers) {}
}
