package dev.berth.producers.files;

import dev.berth.producers.FieldRules;
import dev.berth.producers.VolumeRules;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads volumes from a file. */
public final class VolumeFile {

  private static final String DEFAULT_NAMESPACE = "default";
  private static final String[] OTHERS = {
    "plugin",
    "external-id",
    "capabilities",
    Fields.SECRETS,
    "context",
    "parameters",
    "fs-type",
    "mount-flags",
    "topologies"
  };

  private VolumeFile() {}

  /**
   * Reads registrations.
   *
   * @param file name for errors
   * @param text the file's content, YAML or JSON
   * @throws InvalidFileException with all that is wrong
   */
  public static List<Located<VolumeSpec>> registrations(String file, String text) {
    return Records.read(
        file,
        text,
        VolumeFile::spec,
        // One volume of the provider under two names would be attached for the one and detached
        // for the other.
        spec ->
            List.of(
                "volume " + spec.getNamespace() + "/" + spec.getVolume(),
                "external-id %s of plugin %s"
                    .formatted(Fields.shown(spec.getExternalId()), spec.getPlugin())));
  }

  /**
   * Reads which volumes are meant; the fields of their registrations may stand there too and are
   * not looked at, so that the file they were registered from will do.
   *
   * @param file name for errors
   * @param text the file's content, YAML or JSON
   * @throws InvalidFileException with all that is wrong
   */
  public static List<Located<VolumeName>> names(String file, String text) {
    return Records.read(
        file,
        text,
        fields -> {
          VolumeName name = name(fields);
          fields.ignore(Set.of(OTHERS));
          return name;
        },
        name -> List.of("volume " + name));
  }

  private static VolumeName name(Fields fields) {
    String id = fields.required("id", "the volume's id", text -> FieldRules.id("id", text));
    String namespace =
        fields
            .text("namespace", text -> FieldRules.id("namespace", text))
            .orElse(DEFAULT_NAMESPACE);
    return new VolumeName(namespace, id);
  }

  private static VolumeSpec spec(Fields fields) {
    VolumeName name = name(fields);
    VolumeSpec.Builder spec =
        VolumeSpec.newBuilder()
            .setNamespace(name.namespace())
            .setVolume(name.id())
            .setPlugin(
                fields.required(
                    "plugin",
                    "the id of the CSI plugin that serves it",
                    text -> FieldRules.id("plugin", text)))
            .setExternalId(
                fields.required(
                    "external-id",
                    "the provider's id of the volume",
                    text -> FieldRules.providerId("external-id", text)))
            .setCapabilities(capabilities(fields))
            .setSecrets(secrets(fields))
            .setContext(map(fields, "context"))
            .setParameters(map(fields, "parameters"))
            .setMountFlags(fields.texts("mount-flags"))
            .setTopologies(fields.maps("topologies"));
    CsiLimits.list(fields, "mount-flags", spec.getMountFlags());
    spec.getTopologies().forEach(segments -> CsiLimits.map(fields, "topologies", segments));
    fields
        .text("fs-type", text -> FieldRules.name("fs-type", text))
        .ifPresent(
            type -> {
              CsiLimits.string(fields, "fs-type", type, CsiLimits.STRING);
              spec.setFsType(type);
            });
    return spec.build();
  }

  private static List<Capability> capabilities(Fields fields) {
    List<Capability> capabilities =
        fields.records(
            "capabilities",
            capability ->
                new Capability(
                    capability.requiredSymbol("access", "an access mode", AccessMode.values()),
                    capability
                        .symbol("attachment", "an attachment mode", AttachmentMode.values())
                        .orElse(AttachmentMode.FILE_SYSTEM)));
    if (capabilities.isEmpty()) {
      fields.wrong(
          "capabilities", "are none; give at least one, such as {access: single-node-writer}");
    } else if (new HashSet<>(capabilities).size() < capabilities.size()) {
      fields.wrong("capabilities", "hold the same pair twice; take one out");
    }
    return capabilities;
  }

  private static Map<String, String> secrets(Fields fields) {
    Map<String, String> secrets = fields.map(Fields.SECRETS);
    secrets.forEach(
        (name, reference) -> {
          if (!VolumeRules.isReference(reference)) {
            fields.wrong(
                Fields.SECRETS + "." + name,
                "is not a reference; never give the secret itself, write ${provider:…}, for"
                    + " example ${dir:/run/secrets:x}");
          }
        });
    return secrets;
  }

  private static Map<String, String> map(Fields fields, String field) {
    Map<String, String> map = fields.map(field);
    CsiLimits.map(fields, field, map);
    return map;
  }
}
