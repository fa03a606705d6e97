package dev.berth.embedded.registry;

import dev.berth.embedded.registry.Change.Reference;
import dev.berth.embedded.registry.SubjectTable.StoredSchema;
import dev.berth.embedded.registry.SubjectTable.Version;
import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.ParsedSchemaHolder;
import io.confluent.kafka.schemaregistry.SchemaProvider;
import io.confluent.kafka.schemaregistry.SimpleParsedSchemaHolder;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaVersionFetcher;
import io.confluent.kafka.schemaregistry.client.rest.entities.Schema;
import io.confluent.kafka.schemaregistry.client.rest.entities.SchemaReference;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parsing, canonical form and compatibility of Avro schemas, all by Confluent's own classes. */
final class AvroSchemas {

  private final SubjectTable table;
  private final AvroSchemaProvider provider = new AvroSchemaProvider();

  /**
   * @param table where the schemas are that others name
   */
  AvroSchemas(SubjectTable table) {
    this.table = table;
    provider.configure(Map.of(SchemaProvider.SCHEMA_VERSION_FETCHER_CONFIG, new References()));
  }

  /**
   * The canonical form of a schema that somebody sent.
   *
   * @param normalize whether two spellings of the same schema become one
   * @throws RegistryProblem when it is not a valid Avro schema
   */
  StoredSchema canonical(String text, List<Reference> references, boolean normalize) {
    ParsedSchema parsed = parse(new StoredSchema(text, references), true, normalize);
    return new StoredSchema(parsed.canonicalString(), references);
  }

  /**
   * What keeps a schema from following others.
   *
   * @param level one of {@link CompatibilityLevel}
   * @param former the versions before it, oldest first
   * @return the differences, none when it is compatible
   */
  List<String> differences(StoredSchema schema, String level, List<Version> former) {
    List<ParsedSchemaHolder> holders =
        former.stream()
            .<ParsedSchemaHolder>map(
                v -> new SimpleParsedSchemaHolder(parse(v.schema(), false, false)))
            .toList();
    return parse(schema, false, false).isCompatible(CompatibilityLevel.valueOf(level), holders);
  }

  private ParsedSchema parse(StoredSchema schema, boolean isNew, boolean normalize) {
    Schema entity =
        new Schema("", 0, -1, AvroSchema.TYPE, references(schema.references()), schema.text());
    try {
      return provider.parseSchemaOrElseThrow(entity, isNew, normalize);
    } catch (RuntimeException e) {
      throw RegistryProblem.invalidSchema(String.valueOf(e.getMessage()));
    }
  }

  private static List<SchemaReference> references(List<Reference> references) {
    return references.stream()
        .map(r -> new SchemaReference(r.name(), r.subject(), r.version()))
        .toList();
  }

  /** Finds the schemas that a schema names. */
  private final class References implements SchemaVersionFetcher {

    @Override
    public String tenant() {
      return "default";
    }

    @Override
    public @Nullable Schema getByVersion(String subject, int version, boolean lookupDeleted) {
      return table.versions(subject, lookupDeleted).stream()
          .filter(v -> v.version() == version)
          .findFirst()
          .map(
              v ->
                  new Schema(
                      subject,
                      version,
                      v.id(),
                      AvroSchema.TYPE,
                      references(v.schema().references()),
                      v.schema().text()))
          .orElse(null);
    }
  }
}
