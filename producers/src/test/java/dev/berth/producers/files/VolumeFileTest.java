package dev.berth.producers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeFileTest {

  private static final String LEAST =
      """
      id: db
      plugin: ebs
      external-id: vol-1
      capabilities: [{access: single-node-writer}]
      """;

  @Test
  @DisplayName("every field of a volume is read, values as they are written")
  void everyField() {
    String text =
        """
        namespace: prod
        id: 007
        plugin: ebs
        external-id: vol-0a1b
        capabilities:
          - access: multi-node-reader
            attachment: block-device
          - access: single-node-writer
        secrets: {token: "${dir:/run/secrets:token}"}
        context: {iops: 3000, fast: yes, none: ""}
        parameters:
          tier: 1.10
        fs-type: xfs
        mount-flags: [noatime, "uid=5"]
        topologies:
          - zone: a
            rack: 2
          - zone: b
        """;
    assertThat(VolumeFile.registrations("v.yaml", text))
        .containsExactly(
            new Located<>(
                "v.yaml",
                1,
                VolumeSpec.newBuilder()
                    .setNamespace("prod")
                    .setVolume("007")
                    .setPlugin("ebs")
                    .setExternalId("vol-0a1b")
                    .setCapabilities(
                        List.of(
                            new Capability(
                                AccessMode.MULTI_NODE_READER, AttachmentMode.BLOCK_DEVICE),
                            new Capability(
                                AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
                    .setSecrets(Map.of("token", "${dir:/run/secrets:token}"))
                    .setContext(Map.of("iops", "3000", "fast", "yes", "none", ""))
                    .setParameters(Map.of("tier", "1.10"))
                    .setFsType("xfs")
                    .setMountFlags(List.of("noatime", "uid=5"))
                    .setTopologies(List.of(Map.of("zone", "a", "rack", "2"), Map.of("zone", "b")))
                    .build()));
  }

  @Test
  @DisplayName("a file holds several documents, each a record or a list")
  void documents() {
    String list =
        "- {id: b, plugin: p, external-id: e2, capabilities: [{access: single-node-writer}]}";
    assertThat(
            VolumeFile.registrations("v.yaml", LEAST + "---\n" + list + "\n---\n# nothing\n")
                .stream()
                .map(v -> v.line() + " " + v.value().getNamespace() + "/" + v.value().getVolume()))
        .containsExactly("1 default/db", "6 default/b");
  }

  @Test
  @DisplayName("JSON is read too, with tabs and escaped slashes as well")
  void json() {
    String text =
        """
        [
        \t{
        \t\t"id": "db", "plugin": "ebs", "external-id": "ab\\/c\\"d",
        \t\t"capabilities": [{"access": "single-node-writer"}]
        \t}
        ]
        """;
    assertThat(VolumeFile.registrations("v.json", text))
        .extracting(v -> v.line() + " " + v.value().getExternalId())
        .containsExactly("2 ab/c\"d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LEAST,
        """
        {
        \t"id": "db", "plugin": "ebs", "external-id": "vol-1",
        \t"capabilities": [{"access": "single-node-writer"}]
        }
        """
      })
  @DisplayName("a byte order mark before YAML or JSON is passed over")
  void byteOrderMark(String text) {
    assertThat(VolumeFile.registrations("v", "\uFEFF" + text))
        .isEqualTo(VolumeFile.registrations("v", text));
  }

  @Test
  @DisplayName("an alias stands for the value of its anchor")
  void anchors() {
    String text = LEAST + "context: &usual {iops: 3000}\nparameters: *usual\n";
    assertThat(VolumeFile.registrations("v.yaml", text))
        .extracting(v -> v.value().getParameters())
        .containsExactly(Map.of("iops", "3000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{pw: *hunter2}",
        "{pw: !!hunter2}",
        "{pw: !!hunter2 x}",
        "{pw: !hunter2!x}",
        "{pw: @hunter2}",
        "{pw: %hunter2}",
        "{pw: &hunter2!x}",
        "{pw: \"\\hunter2\"}",
        "{pw: 'hunter2}",
        "{pw: hunter2",
        "{pw: |hunter2}",
        "{hunter2}",
        "hunter2",
        "[hunter2]",
        "*hunter2",
        "{pw: {hunter2: x}}",
        "{pw: hunter2: x}",
        "\n  pw: |hunter2\n",
        "\n  pw: hunter2\n   : x",
        "\n  pw: >hunter2\n",
        "\n\tpw: hunter2\n"
      })
  @DisplayName("no error about what stands in secrets shows any of it")
  void neverShown(String secrets) {
    assertThatThrownBy(() -> VolumeFile.registrations("v.yaml", LEAST + "secrets: " + secrets))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageStartingWith("v.yaml:")
        .hasMessageNotContaining("hunter2");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        with(
            "access: \"single-writer\"",
            "access: single-node-writer",
            "v.yaml:4: access: \"single-writer\" is not an access mode; give one of"
                + " single-node-reader, single-node-writer, multi-node-reader,"
                + " multi-node-single-writer, multi-node-multi-writer"),
        with(
            "",
            "plugin: ebs\n",
            "v.yaml:1: plugin: is missing; give the id of the CSI plugin that serves it"),
        with(
            "id: a/b",
            "id: db",
            "v.yaml:1: id: 'a/b': holds a slash, which joins the parts of a key; take it out"),
        with(
            "id: [a]",
            "id: db",
            "v.yaml:1: id: must be a single value, not a list or fields; write field: value"),
        with("id: ", "id: db", "v.yaml:1: id: is empty; give a value or take the field out"),
        with(
            "plugins: ebs",
            "plugin: ebs",
            "v.yaml:1: plugin: is missing; give the id of the CSI plugin that serves it",
            "v.yaml:2: plugins: is no field here; known are id, namespace, plugin, external-id,"
                + " capabilities, secrets, context, parameters, mount-flags, topologies, fs-type"),
        with(
            "capabilities: []",
            "capabilities: [{access: single-node-writer}]",
            "v.yaml:4: capabilities: are none; give at least one, such as {access:"
                + " single-node-writer}"),
        with(
            "capabilities: [x]",
            "capabilities: [{access: single-node-writer}]",
            "v.yaml:4: capabilities: an item is no record; write its fields",
            "v.yaml:4: capabilities: are none; give at least one, such as {access:"
                + " single-node-writer}"),
        with(
            "{access: single-node-writer}, {access: single-node-writer, attachment: file-system}",
            "{access: single-node-writer}",
            "v.yaml:4: capabilities: hold the same pair twice; take one out"),
        more("id: other", "v.yaml:5: id: stands twice, first in line 1; take one out"),
        more("context: [a]", "v.yaml:5: context: must be names with values, such as {a: b}"),
        more("context: {a: }", "v.yaml:5: context.a: is empty; write \"\" for an empty text"),
        more("context: {a: [b]}", "v.yaml:5: context.a: must be a single value"),
        more("context: {a: b, a: c}", "v.yaml:5: context.a: stands twice; take one out"),
        more(
            "context: {a: " + "x".repeat(4_096) + "}",
            "v.yaml:5: context: has 4097 bytes; CSI allows 4096: shorten it"),
        more(
            "fs-type: " + "x".repeat(129),
            "v.yaml:5: fs-type: has 129 bytes; CSI allows 128: shorten it"),
        more(
            "mount-flags: [" + "ü".repeat(2_049) + "]",
            "v.yaml:5: mount-flags: has 4098 bytes; CSI allows 4096: shorten it"),
        more("mount-flags: noatime", "v.yaml:5: mount-flags: must be a list, such as [a, b]"),
        more(
            "mount-flags: [[a]]", "v.yaml:5: mount-flags: an item is no text; write one text each"),
        more(
            "<<: {plugin: x}",
            "v.yaml:5: <<: is no field here; known are id, namespace, plugin,"
                + " external-id, capabilities, secrets, context, parameters, mount-flags, topologies,"
                + " fs-type"),
        more(
            "---\n" + LEAST.strip(),
            "v.yaml:6: volume default/db stands in line 1 already; take one out"),
        more(
            "---\n" + LEAST.replace("id: db", "id: other").strip(),
            "v.yaml:6: external-id \"vol-1\" of plugin ebs stands in line 1 already; take one out"),
        more(
            "fs-type: *none",
            "v.yaml:5: not YAML or JSON: this alias (*) has no anchor (&) before it; put quotes"
                + " around a value that begins with * (column 10)"),
        more(
            "fs-type: !!none x",
            "v.yaml:5: not YAML or JSON: this tag (!) cannot be used; put quotes around a value"
                + " that begins with ! (column 10)"),
        more(
            "fs-type: @none",
            "v.yaml:5: not YAML or JSON: cannot be read here; put quotes around a value with"
                + " special characters (column 10)"),
        more(
            "context:\n\ta: b",
            "v.yaml:6: not YAML or JSON: a tab cannot indent here; use spaces (column 1)"),
        more(
            "fs-type: a\u0001b",
            "v.yaml:5: not YAML or JSON: holds a control character; take it out"),
        Arguments.of(
            "", List.of("v.yaml:1: holds no record: write its fields, or a list of records")),
        Arguments.of(
            "hello", List.of("v.yaml:1: this is no record: write fields, or a list of records")),
        Arguments.of(
            "- a", List.of("v.yaml:1: this item of the list is no record: write its fields")),
        Arguments.of(
            "a: b\n  c: d",
            List.of("v.yaml:2: not YAML or JSON: mapping values are not allowed here (column 4)")));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  @DisplayName("what is wrong is told with file, line, field, value and remedy")
  void wrong(String text, List<String> messages) {
    assertThatThrownBy(() -> VolumeFile.registrations("v.yaml", text))
        .isInstanceOfSatisfying(
            InvalidFileException.class,
            e -> assertThat(e.problems().stream().map(FileProblem::toString)).isEqualTo(messages));
  }

  @Test
  @DisplayName("all that is wrong is told at once, in the order of the file")
  void atOnce() {
    String text =
        """
        id: a/b
        plugin: ebs
        external-id: vol-1
        capabilities:
          - access: any
        ---
        id: c
        """;
    assertThatThrownBy(() -> VolumeFile.registrations("v.yaml", text))
        .isInstanceOfSatisfying(
            InvalidFileException.class,
            e ->
                assertThat(e.problems())
                    .extracting(FileProblem::line)
                    .containsExactly(1, 5, 7, 7, 7));
  }

  @Test
  @DisplayName("a secret must be a reference, and its value is never shown")
  void secrets() {
    assertThatThrownBy(
            () -> VolumeFile.registrations("v.yaml", LEAST + "secrets:\n  key: hunter2\n"))
        .hasMessage(
            "v.yaml:6: secrets.key: is not a reference; never give the secret itself, write"
                + " ${provider:…}, for example ${dir:/run/secrets:x}");
  }

  @Test
  @DisplayName("names are read from the file that the volumes were registered from")
  void names() {
    assertThat(VolumeFile.names("v.yaml", LEAST + "---\n{namespace: n, id: x}\n"))
        .containsExactly(
            new Located<>("v.yaml", 1, new VolumeName("default", "db")),
            new Located<>("v.yaml", 6, new VolumeName("n", "x")));
  }

  private static Arguments with(String replacement, String replaced, String... messages) {
    return Arguments.of(LEAST.replace(replaced, replacement), List.of(messages));
  }

  private static Arguments more(String added, String... messages) {
    return Arguments.of(LEAST + added + "\n", List.of(messages));
  }
}
