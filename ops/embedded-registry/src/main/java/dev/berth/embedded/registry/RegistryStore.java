package dev.berth.embedded.registry;

import dev.berth.embedded.registry.Change.LevelSet;
import dev.berth.embedded.registry.Change.ModeSet;
import dev.berth.embedded.registry.Change.Reference;
import dev.berth.embedded.registry.Change.Registered;
import dev.berth.embedded.registry.Change.SubjectDeleted;
import dev.berth.embedded.registry.Change.VersionDeleted;
import dev.berth.embedded.registry.SubjectTable.StoredSchema;
import dev.berth.embedded.registry.SubjectTable.Version;
import io.confluent.kafka.schemaregistry.CompatibilityLevel;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The registry's rules: each operation looks at the table, decides, makes the change durable, and
 * only then applies it. One lock orders all of it, so that a schema gets one id however many
 * clients register it at once.
 */
final class RegistryStore implements Closeable {

  /** Stands for the newest version where a version is asked for. */
  static final int LATEST = -1;

  private static final Set<String> MODES = Set.of("READWRITE", "READONLY");

  private final SubjectTable table = new SubjectTable();
  private final AvroSchemas schemas = new AvroSchemas(table);
  private final Journal journal;

  /**
   * @throws IOException when the journal is in use, cannot be read, or is damaged
   */
  RegistryStore(Path journal) throws IOException {
    this.journal = Journal.open(journal, table::apply);
  }

  /** Registers a schema; the same schema again changes nothing. */
  synchronized Version register(
      String subject, String text, List<Reference> references, boolean normalize) {
    StoredSchema schema = schemas.canonical(text, references, normalize);
    Optional<Version> same = find(subject, schema, false);
    if (same.isPresent()) {
      return same.get();
    }
    requireWritable(subject);
    List<String> differences =
        schemas.differences(schema, level(subject, true), table.versions(subject, false));
    if (!differences.isEmpty()) {
      throw RegistryProblem.incompatible(subject, String.join("; ", differences));
    }
    int version = table.nextVersion(subject);
    change(new Registered(subject, schema.text(), references, table.idFor(schema), version));
    return version(subject, version, false);
  }

  /** The version of a subject that has this schema. */
  synchronized Version lookUp(
      String subject,
      String text,
      List<Reference> references,
      boolean normalize,
      boolean includeDeleted) {
    StoredSchema schema = schemas.canonical(text, references, normalize);
    requireSubject(subject, includeDeleted);
    return find(subject, schema, includeDeleted).orElseThrow(RegistryProblem::schemaNotFound);
  }

  /**
   * What keeps a schema from becoming the next version.
   *
   * @param version the only version to compare with, or null for those that the level names
   */
  synchronized List<String> differences(
      String subject,
      @Nullable Integer version,
      String text,
      List<Reference> references,
      boolean normalize) {
    StoredSchema schema = schemas.canonical(text, references, normalize);
    List<Version> former =
        version == null || (version == LATEST && table.versions(subject, false).isEmpty())
            ? table.versions(subject, false)
            : List.of(version(subject, version, false));
    return schemas.differences(schema, level(subject, true), former);
  }

  synchronized List<String> subjects(boolean includeDeleted) {
    return table.subjects(includeDeleted);
  }

  synchronized List<Version> versions(String subject, boolean includeDeleted) {
    requireSubject(subject, includeDeleted);
    return table.versions(subject, includeDeleted);
  }

  /**
   * One version.
   *
   * @param number the version, or {@link #LATEST}
   */
  synchronized Version version(String subject, int number, boolean includeDeleted) {
    requireSubject(subject, includeDeleted);
    List<Version> versions = table.versions(subject, includeDeleted);
    if (number == LATEST) {
      return versions.get(versions.size() - 1);
    }
    return versions.stream()
        .filter(v -> v.version() == number)
        .findFirst()
        .orElseThrow(() -> RegistryProblem.versionNotFound(number));
  }

  /** The schema with an id; deleted versions keep theirs, since records carry it. */
  synchronized StoredSchema schema(int id) {
    return table.schema(id).orElseThrow(() -> RegistryProblem.schemaNotFound(id));
  }

  synchronized List<Version> versionsOf(int id) {
    schema(id);
    return table.versionsOf(id);
  }

  /** The ids of the schemas that name a version. */
  synchronized List<Integer> referencedBy(Version named) {
    return table.subjects(false).stream()
        .flatMap(subject -> table.versions(subject, false).stream())
        .filter(
            v ->
                v.schema().references().stream()
                    .anyMatch(
                        r -> r.subject().equals(named.subject()) && r.version() == named.version()))
        .map(Version::id)
        .distinct()
        .toList();
  }

  /** Deletes all versions of a subject and returns their numbers. */
  synchronized List<Integer> deleteSubject(String subject, boolean permanent) {
    requireWritable(subject);
    requireSubject(subject, permanent);
    if (permanent && !table.versions(subject, false).isEmpty()) {
      throw RegistryProblem.notSoftDeleted(subject);
    }
    List<Integer> numbers =
        table.versions(subject, permanent).stream().map(Version::version).toList();
    change(new SubjectDeleted(subject, permanent));
    return numbers;
  }

  /** Deletes one version and returns its number. */
  synchronized int deleteVersion(String subject, int number, boolean permanent) {
    requireWritable(subject);
    Version version = version(subject, number, permanent);
    if (permanent && !version.deleted()) {
      throw RegistryProblem.notSoftDeleted(subject);
    }
    change(new VersionDeleted(subject, version.version(), permanent));
    return version.version();
  }

  /**
   * The compatibility level of a subject.
   *
   * @param subject null for the level of all that have none of their own
   * @param orGlobal whether that level answers for a subject without one
   */
  synchronized String level(@Nullable String subject, boolean orGlobal) {
    if (subject == null) {
      return table.globalLevel();
    }
    return table
        .level(subject)
        .or(() -> orGlobal ? Optional.of(table.globalLevel()) : Optional.empty())
        .orElseThrow(() -> RegistryProblem.noLevel(subject));
  }

  /** Sets a level, or takes it back with null; returns the level before or after it. */
  synchronized String setLevel(@Nullable String subject, @Nullable String level) {
    if (level == null) {
      String former = level(subject, false);
      change(new LevelSet(subject, null));
      return former;
    }
    CompatibilityLevel known = CompatibilityLevel.forName(level.toUpperCase(Locale.ROOT));
    if (known == null) {
      throw RegistryProblem.invalidLevel(level);
    }
    // Provisioning sets the same level at every start: no reason to grow the journal.
    String present =
        subject == null ? table.globalLevel() : table.level(subject).orElse("none of its own");
    if (!known.name.equals(present)) {
      change(new LevelSet(subject, known.name));
    }
    return known.name;
  }

  /** The mode of a subject; parameters as in {@link #level}. */
  synchronized String mode(@Nullable String subject, boolean orGlobal) {
    if (subject == null) {
      return table.globalMode();
    }
    return table
        .mode(subject)
        .or(() -> orGlobal ? Optional.of(table.globalMode()) : Optional.empty())
        .orElseThrow(() -> RegistryProblem.noMode(subject));
  }

  /** Sets a mode, or takes it back with null; returns the mode before or after it. */
  synchronized String setMode(@Nullable String subject, @Nullable String mode) {
    if (mode == null) {
      String former = mode(subject, false);
      change(new ModeSet(subject, null));
      return former;
    }
    String known = mode.toUpperCase(Locale.ROOT);
    if (!MODES.contains(known)) {
      throw RegistryProblem.invalidMode(mode);
    }
    change(new ModeSet(subject, known));
    return known;
  }

  @Override
  public synchronized void close() throws IOException {
    journal.close();
  }

  private void change(Change change) {
    journal.append(change);
    table.apply(change);
  }

  private Optional<Version> find(String subject, StoredSchema schema, boolean includeDeleted) {
    return table.versions(subject, includeDeleted).stream()
        .filter(v -> v.schema().equals(schema))
        .reduce((older, newer) -> newer);
  }

  private void requireSubject(String subject, boolean includeDeleted) {
    if (table.versions(subject, includeDeleted).isEmpty()) {
      throw RegistryProblem.subjectNotFound(subject);
    }
  }

  private void requireWritable(String subject) {
    if (mode(subject, true).equals("READONLY")) {
      throw RegistryProblem.notPermitted("Subject " + subject + " is in read-only mode");
    }
  }
}
