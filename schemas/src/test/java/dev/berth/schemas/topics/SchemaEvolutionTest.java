package dev.berth.schemas.topics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ClusterRow;
import dev.berth.records.LanesRow;
import dev.berth.records.VolumeClaimsRow;
import dev.berth.schemas.registry.Registry;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every record must be able to read what all its released versions wrote, since compacted topics
 * hold such records for ever. (The registry, with BACKWARD, asks for the last version only.)
 *
 * <p>To change a schema: give a new field a default, give an enum a new symbol only where it has a
 * default symbol, rename and retype nothing, and leave the released files alone. When a release is
 * made, {@code -Dregenerate=release} adds what has changed as a new version; before the first one
 * {@code -Dregenerate} writes the first version anew.
 */
class SchemaEvolutionTest {

  static Stream<Schema> schemas() {
    return Stream.concat(
            Arrays.stream(Topic.values()).map(Topic::schema).flatMap(Optional::stream),
            changelogs())
        .distinct();
  }

  /** State outlives versions as records do, though Kafka Streams owns its topics. */
  private static Stream<Schema> changelogs() {
    return Stream.of(
        VolumeClaimsRow.getClassSchema(), LanesRow.getClassSchema(), ClusterRow.getClassSchema());
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void readsWhatEveryReleasedVersionWrote(Schema present) {
    ReleasedSchemas released = new ReleasedSchemas(present.getName());
    if (KeptFile.isReleasing()) {
      released.add(asRegistered(present));
    } else if (KeptFile.isRegenerating()) {
      released.replaceLatest(asRegistered(present));
    }

    assertThat(released.all())
        .as(
            "released versions of %s in schemas/%s; write the first one with: %s",
            present.getName(), ReleasedSchemas.FOLDER, KeptFile.REGENERATE)
        .isNotEmpty();
    assertThat(problems(present, released.all()))
        .as(
            "%s must read records that its released versions wrote. Give new fields a default,"
                + " rename and retype nothing, and leave released files alone. Only before the"
                + " first release: %s",
            present.getName(), KeptFile.REGENERATE)
        .isEmpty();
  }

  private static List<String> problems(Schema reader, List<Schema> writers) {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < writers.size(); i++) {
      String version = "v" + (i + 1) + ": ";
      SchemaCompatibility.checkReaderWriterCompatibility(reader, writers.get(i))
          .getResult()
          .getIncompatibilities()
          .forEach(problem -> problems.add(version + describe(problem)));
    }
    return problems;
  }

  private static String describe(Incompatibility problem) {
    return "%s at %s: %s".formatted(problem.getType(), problem.getLocation(), problem.getMessage());
  }

  private static Schema asRegistered(Schema schema) {
    try (Registry registry =
        Registry.over(new MockSchemaRegistryClient(List.of(new AvroSchemaProvider())))) {
      return registry.schemaById(registry.idFor("any-value", schema)).orElseThrow();
    }
  }
}
