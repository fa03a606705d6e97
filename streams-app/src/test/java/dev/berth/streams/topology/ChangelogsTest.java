package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClusterRow;
import dev.berth.records.LanesRow;
import dev.berth.records.VolumeClaimsRow;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.Policies;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The changelogs")
class ChangelogsTest {

  @Test
  @DisplayName("have the subjects of their topics, with the rows of their stores")
  void subjects() {
    assertThat(Changelogs.subjects("app"))
        .isEqualTo(
            Map.of(
                "app-volume-claims-changelog-value", VolumeClaimsRow.getClassSchema(),
                "app-lanes-changelog-value", LanesRow.getClassSchema(),
                "app-cluster-changelog-value", ClusterRow.getClassSchema()));
  }

  @Test
  @DisplayName("are those of every store of the topology, and no others")
  void everyStore() {
    TopologyContext context =
        new TopologyContext(
            Topics.withDefaultPrefix(), Registry.over(new MockSchemaRegistryClient()), 4, 12);

    assertThat(Changelogs.subjects("app").keySet())
        .isEqualTo(
            stores(BerthTopology.build(context, Policies.DEFAULTS)).stream()
                .map(store -> "app-" + store + "-changelog-value")
                .collect(Collectors.toSet()));
  }

  private static Set<String> stores(Topology topology) {
    return topology.describe().subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .filter(TopologyDescription.Processor.class::isInstance)
        .map(TopologyDescription.Processor.class::cast)
        .flatMap(processor -> processor.stores().stream())
        .collect(Collectors.toSet());
  }
}
