package dev.berth.ops.acl;

import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;

/** A kind of process that has a principal of its own. */
// Sets of enum constants: immutable, though the checker cannot see it in their type.
@SuppressWarnings("ImmutableEnumChecker")
public enum Role {
  /**
   * Instances of the Streams application. They also read what the query API tells of and follows.
   */
  STREAMS(
      Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER, Party.API),
      Set.of(
          Topic.VOLUMES,
          Topic.CLAIMS,
          Topic.ATTACHMENTS,
          Topic.STUCK_CLAIMS,
          Topic.CLAIM_HISTORY,
          Topic.COMMAND_RESULTS,
          Topic.LANE_STATUS,
          Topic.NODE_SLOTS,
          Topic.NODE_VIEWS,
          Topic.PLUGIN_WORK,
          Topic.NODE_WORK),
      Set.of(Topic.COMMANDS)),
  /** Workers. */
  WORKER(Set.of(Party.WORKER), Set.of(), Set.of()),
  /** Schedulers, with the library of {@code producers}. */
  SCHEDULER(Set.of(Party.SCHEDULER), Set.of(), Set.of()),
  /** Who reads and writes topics with the {@code berth} command, or with tools. */
  OPERATOR(Set.of(Party.OPERATOR), Set.of(Topic.values()), Set.of()),
  /** Who runs {@code berth topics create}. */
  PROVISIONER(Set.of(), Set.of(), Set.of());

  private final Set<Party> parties;
  private final Set<Topic> alsoRead;
  private final Set<Topic> alsoWritten;

  Role(Set<Party> parties, Set<Topic> alsoRead, Set<Topic> alsoWritten) {
    this.parties = parties;
    this.alsoRead = alsoRead;
    this.alsoWritten = alsoWritten;
  }

  /** Whether it reads a topic. */
  public boolean reads(Topic topic) {
    return alsoRead.contains(topic) || !Collections.disjoint(parties, topic.readers());
  }

  /** Whether it writes to a topic. */
  public boolean writes(Topic topic) {
    return alsoWritten.contains(topic) || !Collections.disjoint(parties, topic.writers());
  }

  /** Its name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
