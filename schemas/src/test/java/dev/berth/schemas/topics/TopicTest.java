package dev.berth.schemas.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class TopicTest {

  @Test
  void holdsEveryTopicOfTheDesign() {
    assertThat(Arrays.stream(Topic.values()).map(Topic::suffix))
        .containsExactlyInAnyOrder(
            "alloc-events",
            "commands",
            "nodes",
            "plugins",
            "policies",
            "feed-positions",
            "claims",
            "attachments",
            "volumes",
            "lane-status",
            "node-views",
            "node-slots",
            "claim-replies",
            "command-results",
            "claim-history",
            "stuck-claims",
            "rejected-records",
            "lane-requests",
            "settlements",
            "volume-signals",
            "lane-signals",
            "cluster-commands",
            "plugin-work",
            "node-work",
            "work-acceptances",
            "work-outcomes",
            "plugin-listings",
            "secrets-found",
            "drift-findings",
            "api-sessions");
  }

  @Test
  void topicsOneProcessorReadsHaveEquallyManyPartitions() {
    for (Party processor : Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER)) {
      Set<Partitioning> read =
          Arrays.stream(Topic.values())
              .filter(topic -> topic.readers().contains(processor))
              .map(Topic::partitioning)
              .collect(Collectors.toSet());

      assertThat(read).as("what %s reads", processor.label()).hasSize(1);
      assertThat(read).allMatch(Partitioning::equal);
    }
  }

  @Test
  void topicsAndTablesOfVolumesHaveEquallyManyPartitions() {
    assertThat(
            Arrays.stream(Topic.values())
                .filter(topic -> topic.key().startsWith("namespace/volume")))
        .allMatch(topic -> topic.partitioning() == Partitioning.VOLUME);
  }

  @Test
  void everyFieldOfEveryRecordHasADoc() {
    List<String> missing = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      topic.schema().ifPresent(schema -> addUndocumented(schema, new HashSet<>(), missing));
    }
    assertThat(missing).as("fields and records without doc").isEmpty();
  }

  @Test
  void onlyRejectedRecordsHaveNoSchema() {
    assertThat(Arrays.stream(Topic.values()).filter(topic -> topic.schema().isEmpty()))
        .containsExactly(Topic.REJECTED_RECORDS);
  }

  @Test
  void compactedTopicsAreThoseOfTheDesign() {
    assertThat(
            Arrays.stream(Topic.values())
                .filter(topic -> topic.retention().cleanupPolicy().equals("compact"))
                .map(Topic::suffix))
        .containsExactlyInAnyOrder(
            "nodes",
            "plugins",
            "policies",
            "feed-positions",
            "claims",
            "attachments",
            "volumes",
            "lane-status",
            "node-views",
            "node-slots",
            "stuck-claims",
            "api-sessions");
  }

  @Test
  void allocEventsAreKeptAWeekByTheBrokersClock() {
    assertThat(Topic.ALLOC_EVENTS.configs())
        .isEqualTo(
            Map.of(
                "cleanup.policy", "delete",
                "retention.ms", "604800000",
                "segment.ms", "86400000",
                "message.timestamp.type", "LogAppendTime"));
    assertThat(((Retention.ByAge) Topic.ALLOC_EVENTS.retention()).longest())
        .isEqualTo(Duration.ofDays(8));
  }

  @Test
  void aResolvedDeadLetterStaysReadableForAWeek() {
    assertThat(Topic.STUCK_CLAIMS.configs())
        .isEqualTo(
            Map.of(
                "cleanup.policy", "compact",
                "max.message.bytes", "8388608",
                "delete.retention.ms", "604800000",
                "min.compaction.lag.ms", "604800000",
                "segment.ms", "3600000"));
  }

  @Test
  void whatFollowsFromARecordMayBeLargerThanTheRecord() {
    assertThat(Topic.values())
        .filteredOn(topic -> !topic.configs().containsKey("max.message.bytes"))
        .containsExactly(
            Topic.ALLOC_EVENTS,
            Topic.COMMANDS,
            Topic.NODES,
            Topic.PLUGINS,
            Topic.POLICIES,
            Topic.FEED_POSITIONS,
            Topic.WORK_ACCEPTANCES,
            Topic.WORK_OUTCOMES,
            Topic.SECRETS_FOUND,
            Topic.PLUGIN_LISTINGS,
            Topic.API_SESSIONS);
    assertThat(Topic.REJECTED_RECORDS.configs()).containsEntry("max.message.bytes", "8388608");
  }

  @Test
  void namesBeginWithThePrefix() {
    Topics topics = new Topics("blue");

    assertThat(topics.name(Topic.CLAIMS)).isEqualTo("blue.claims");
    assertThat(topics.subject(Topic.CLAIMS)).isEqualTo("blue.claims-value");
    assertThat(topics.find("blue.claims")).contains(Topic.CLAIMS);
    assertThat(topics.find("berth.claims")).isEmpty();
  }

  @Test
  void refusesAPrefixThatKafkaWouldRefuse() {
    assertThatThrownBy(() -> new Topics("my berth"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topic prefix 'my berth'");
  }

  @Test
  void partitionsAreThoseOfKafkasJavaProducer() {

    assertThat(Keys.partition("default/vol-1", 4))
        .isEqualTo(
            BuiltInPartitioner.partitionForKey(
                "default/vol-1".getBytes(StandardCharsets.UTF_8), 4));
  }

  private static void addUndocumented(Schema schema, Set<String> seen, List<String> missing) {
    switch (schema.getType()) {
      case UNION -> schema.getTypes().forEach(type -> addUndocumented(type, seen, missing));
      case ARRAY -> addUndocumented(schema.getElementType(), seen, missing);
      case MAP -> addUndocumented(schema.getValueType(), seen, missing);
      case RECORD -> {
        if (!seen.add(schema.getFullName())) {
          return;
        }
        if (schema.getDoc() == null) {
          missing.add(schema.getFullName());
        }
        for (Schema.Field field : schema.getFields()) {
          if (field.doc() == null || field.doc().isBlank()) {
            missing.add(schema.getFullName() + "." + field.name());
          }
          addUndocumented(field.schema(), seen, missing);
        }
      }
      default -> {
        // The rest has no fields.
      }
    }
  }
}
