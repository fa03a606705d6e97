package dev.berth.embedded.registry;

import dev.berth.embedded.registry.Change.LevelSet;
import dev.berth.embedded.registry.Change.ModeSet;
import dev.berth.embedded.registry.Change.Reference;
import dev.berth.embedded.registry.Change.Registered;
import dev.berth.embedded.registry.Change.SubjectDeleted;
import dev.berth.embedded.registry.Change.VersionDeleted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The registry's state: the fold of its changes. Decides nothing, and is guarded by its owner.
 *
 * <p>A version that was deleted stays, marked, until it is deleted permanently. Ids are never taken
 * back: records on topics carry them.
 */
final class SubjectTable {

  static final String DEFAULT_LEVEL = "BACKWARD";
  static final String DEFAULT_MODE = "READWRITE";

  /** A schema and the schemas it names. Equal text and references are the same schema. */
  record StoredSchema(String text, List<Reference> references) {}

  /** One version of a subject. */
  record Version(String subject, int version, int id, StoredSchema schema, boolean deleted) {}

  private final NavigableMap<String, NavigableMap<Integer, Version>> subjects = new TreeMap<>();
  private final Map<StoredSchema, Integer> ids = new HashMap<>();
  private final NavigableMap<Integer, StoredSchema> schemas = new TreeMap<>();
  private final Map<String, String> levels = new HashMap<>();
  private final Map<String, String> modes = new HashMap<>();
  private String globalLevel = DEFAULT_LEVEL;
  private String globalMode = DEFAULT_MODE;

  void apply(Change change) {
    if (change instanceof Registered registered) {
      register(registered);
    } else if (change instanceof SubjectDeleted deleted) {
      versions(deleted.subject(), true)
          .forEach(v -> delete(deleted.subject(), v.version(), deleted.permanent()));
    } else if (change instanceof VersionDeleted deleted) {
      delete(deleted.subject(), deleted.version(), deleted.permanent());
    } else if (change instanceof LevelSet set) {
      globalLevel = put(levels, set.subject(), set.level(), globalLevel, DEFAULT_LEVEL);
    } else if (change instanceof ModeSet set) {
      globalMode = put(modes, set.subject(), set.mode(), globalMode, DEFAULT_MODE);
    }
  }

  /** Names in alphabetical order. */
  List<String> subjects(boolean includeDeleted) {
    return subjects.keySet().stream()
        .filter(subject -> !versions(subject, includeDeleted).isEmpty())
        .toList();
  }

  /** Versions of a subject, oldest first; none when there is no such subject. */
  List<Version> versions(String subject, boolean includeDeleted) {
    Collection<Version> all = subjects.getOrDefault(subject, new TreeMap<>()).values();
    return all.stream().filter(version -> includeDeleted || !version.deleted()).toList();
  }

  /** Every version that has this schema. */
  List<Version> versionsOf(int id) {
    List<Version> found = new ArrayList<>();
    subjects(false)
        .forEach(
            subject ->
                versions(subject, false).stream().filter(v -> v.id() == id).forEach(found::add));
    return found;
  }

  Optional<StoredSchema> schema(int id) {
    return Optional.ofNullable(schemas.get(id));
  }

  /** The id that a schema has, or will get when it is registered next. */
  int idFor(StoredSchema schema) {
    Integer known = ids.get(schema);
    return known != null ? known : nextId();
  }

  /** The version that the next schema of a subject gets; those that are deleted count. */
  int nextVersion(String subject) {
    NavigableMap<Integer, Version> versions = subjects.get(subject);
    return versions == null || versions.isEmpty() ? 1 : versions.lastKey() + 1;
  }

  Optional<String> level(String subject) {
    return Optional.ofNullable(levels.get(subject));
  }

  Optional<String> mode(String subject) {
    return Optional.ofNullable(modes.get(subject));
  }

  String globalLevel() {
    return globalLevel;
  }

  String globalMode() {
    return globalMode;
  }

  private int nextId() {
    return schemas.isEmpty() ? 1 : schemas.lastKey() + 1;
  }

  private void register(Registered registered) {
    StoredSchema schema = new StoredSchema(registered.schema(), registered.references());
    ids.put(schema, registered.id());
    schemas.put(registered.id(), schema);
    subjects
        .computeIfAbsent(registered.subject(), s -> new TreeMap<>())
        .put(
            registered.version(),
            new Version(
                registered.subject(), registered.version(), registered.id(), schema, false));
  }

  private void delete(String subject, int version, boolean permanent) {
    NavigableMap<Integer, Version> versions = subjects.getOrDefault(subject, new TreeMap<>());
    if (permanent) {
      versions.remove(version);
    } else {
      versions.computeIfPresent(
          version, (n, v) -> new Version(subject, n, v.id(), v.schema(), true));
    }
    if (versions.isEmpty()) {
      subjects.remove(subject);
    }
  }

  /** Returns the global value after the change. */
  private static String put(
      Map<String, String> bySubject,
      @Nullable String subject,
      @Nullable String value,
      String global,
      String initial) {
    if (subject == null) {
      return value == null ? initial : value;
    }
    if (value == null) {
      bySubject.remove(subject);
    } else {
      bySubject.put(subject, value);
    }
    return global;
  }
}
