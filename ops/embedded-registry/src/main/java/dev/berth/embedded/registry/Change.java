package dev.berth.embedded.registry;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can happen to a registry. The journal is a list of these, and the registry's state is their
 * fold, live and after a restart alike.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Change.Registered.class, name = "registered"),
  @JsonSubTypes.Type(value = Change.SubjectDeleted.class, name = "subject-deleted"),
  @JsonSubTypes.Type(value = Change.VersionDeleted.class, name = "version-deleted"),
  @JsonSubTypes.Type(value = Change.LevelSet.class, name = "level-set"),
  @JsonSubTypes.Type(value = Change.ModeSet.class, name = "mode-set")
})
sealed interface Change {

  /**
   * A subject has a new version.
   *
   * @param schema the schema as it is handed out
   * @param references the schemas it names
   * @param id the schema's id, shared by all subjects that have the same schema
   * @param version the version inside the subject, from 1
   */
  record Registered(String subject, String schema, List<Reference> references, int id, int version)
      implements Change {}

  /**
   * All versions of a subject were deleted.
   *
   * @param permanent whether they cannot be listed any more; ids keep their schemas
   */
  record SubjectDeleted(String subject, boolean permanent) implements Change {}

  /** One version was deleted; see {@link SubjectDeleted}. */
  record VersionDeleted(String subject, int version, boolean permanent) implements Change {}

  /**
   * A compatibility level was set.
   *
   * @param subject null for all subjects without a level of their own
   * @param level null when it was taken back
   */
  record LevelSet(@Nullable String subject, @Nullable String level) implements Change {}

  /** A mode was set; parameters as in {@link LevelSet}. */
  record ModeSet(@Nullable String subject, @Nullable String mode) implements Change {}

  /**
   * A schema that another one names.
   *
   * @param name the name by which it is used
   * @param subject where it is registered
   * @param version its version there
   */
  record Reference(String name, String subject, int version) {}
}
