package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioned;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.ProvisioningException;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stands here and not in {@code schemas} because this module has a broker for its tests. */
@ExtendWith(EmbeddedStack.Extension.class)
class ProvisioningIT {

  private final Admin admin;
  private final Registry registry;

  ProvisioningIT(EmbeddedStack stack) {
    this.admin = stack.admin();
    this.registry = stack.registry();
  }

  @AfterEach
  void close() {
    registry.close();
    admin.close();
  }

  @Test
  void createsAllTopicsAndSubjectsOnceOnly() throws Exception {
    Topics topics = new Topics("once");
    Provisioning provisioning = new Provisioning(topics, Layout.replicated(1), admin);

    Provisioned first = provisioning.run(registry);
    Provisioned second = provisioning.run(registry);

    assertThat(first.created())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Topic.values()).map(topics::name).toList());
    assertThat(first.differences()).isEmpty();
    assertThat(second).isEqualTo(new Provisioned(List.of(), first.schemaIds(), List.of()));
    assertThat(registry.client().getCompatibility("once.claims-value")).isEqualTo("BACKWARD");
    assertThat(admin.describeTopics(List.of("once.alloc-events")).allTopicNames().get())
        .allSatisfy((name, topic) -> assertThat(topic.partitions()).hasSize(4));
  }

  @Test
  void reportsAnotherCleanupPolicyAndLeavesIt() throws Exception {
    Topics topics = new Topics("policy");
    Provisioning provisioning = new Provisioning(topics, Layout.replicated(1), admin);
    Provisioned first = provisioning.run(registry);
    ConfigResource claims = new ConfigResource(ConfigResource.Type.TOPIC, "policy.claims");
    admin
        .incrementalAlterConfigs(
            Map.of(
                claims,
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET))))
        .all()
        .get();
    // Brokers learn of a change a moment after it is confirmed.
    await().until(() -> !provisioning.compare().differences().isEmpty());

    Provisioned second = provisioning.run(registry);

    assertThat(first.blocking()).isEmpty();
    assertThat(second.blocking())
        .extracting(Difference::topic, Difference::setting, Difference::found)
        .containsExactly(tuple("policy.claims", "cleanup.policy", "delete"));
    assertThat(provisioning.compare().differences()).isEqualTo(second.differences());
  }

  @Test
  void makesATopicAgainThatSomebodyDeleted() throws Exception {
    Topics topics = new Topics("deleted");
    Provisioning provisioning = new Provisioning(topics, Layout.replicated(1), admin);
    Provisioned first = provisioning.run(registry);
    admin.deleteTopics(List.of("deleted.settlements")).all().get();
    await().until(() -> !provisioning.compare().missing().isEmpty());

    Provisioned second = provisioning.run(registry);

    assertThat(first.created()).contains("deleted.settlements");
    assertThat(second.created()).containsExactly("deleted.settlements");
  }

  @Test
  void saysWhatToDoWhenThereAreTooFewBrokers() {
    Provisioning provisioning = new Provisioning(new Topics("few"), Layout.replicated(3), admin);

    assertThatThrownBy(() -> provisioning.run(registry))
        .isInstanceOf(ProvisioningException.class)
        .hasMessageContaining("could not create topic few.")
        .hasMessageContaining("set the replication factor (3) to the number of brokers or less");
  }
}
