package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.Hold;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeStatus;
import dev.berth.proto.api.SubmitCommandRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Before a dangerous command asks")
class DangerTest {
  private static final Question NOBODY = text -> Optional.empty();

  private final FakeBerth berth = new FakeBerth();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path directory = Path.of(".");

  @AfterEach
  void close() {
    berth.close();
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node fence n1      | node n1           | '' | '' | n1
          node unfence n1    | node n1           | '' | '' | n1
          detach prod/db n1  | prod/db at node n1 | prod | db | n1
          stuck assume-detached prod/db n1 | prod/db at node n1 | prod | db | n1
          """)
  @DisplayName("it prints the number and the first ten of the claims that it is about")
  void hits(String line, String where, String namespace, String volume, String node) {
    for (int i = 1; i <= 12; i++) {
      berth.claims.add(
          ApiAnswers.ending("db", "a" + i).toBuilder().setClientStatus("running").build());
    }
    assertThat(run(answers("why", "no"), line)).isEqualTo(ExitCode.FAILED);
    assertThat(said().lines())
        .contains(
            "12 claims on " + where + " now:",
            "  prod/db a10 on n1, node-detached, client says running, held up by controller-error"
                + " (stuck)",
            "  and 2 more; see berth claim list")
        .noneMatch(text -> text.contains("prod/db a11 "))
        .allMatch(text -> text.length() <= 100, "fits")
        .last()
        .isEqualTo("Nothing was sent.");
    assertThat(berth.asked)
        .first()
        .isInstanceOfSatisfying(
            ListClaimsRequest.class,
            request ->
                assertThat(request.getFilter())
                    .isEqualTo(
                        ClaimFilter.newBuilder()
                            .setNamespace(namespace)
                            .setVolume(volume)
                            .setNode(node)
                            .build()));
    assertThat(berth.asked).noneMatch(SubmitCommandRequest.class::isInstance);
  }

  @Test
  @DisplayName("an unblock names the claims that it frees, and none that it passes over")
  void unblock() {
    berth.nodes.add(node("n1", NodeStatus.NODE_STATUS_DOWN));
    berth.nodes.add(node("n2", NodeStatus.NODE_STATUS_READY));
    berth.nodes.add(node("n3", NodeStatus.NODE_STATUS_DISCONNECTED));
    berth.attachments.add(Attachment.newBuilder().setNode("n3").setStaging("maybe").build());
    berth.claims.add(on("n1", "unmounting").setNodeStep("open").build());
    berth.claims.add(on("n1", "unmounted").setNodeStep("client-unmounted").build());
    berth.claims.add(on("n2", "there").setNodeStep("open").build());
    berth.claims.add(on("n3", "staged").setNodeStep("client-unmounted").build());
    berth.claims.add(
        on("n1", "held").clearEndCause().setHold(Hold.newBuilder().setCode("node-lost")).build());
    berth.claims.add(on("n1", "running").clearEndCause().clearHold().build());

    assertThat(run(answers("why", "no"), "unblock prod/db")).isEqualTo(ExitCode.FAILED);

    assertThat(said())
        .contains("3 claims on volume prod/db at lost nodes now:")
        .contains("prod/db unmounting on n1", "prod/db staged on n3", "prod/db held on n1")
        .doesNotContain("prod/db unmounted", "prod/db there", "prod/db running");
    berth.claims.removeIf(claim -> !claim.getAlloc().equals("there"));
    assertThat(run(answers("why", "no"), "unblock prod/db")).isEqualTo(ExitCode.FAILED);
    assertThat(said()).contains("There is no claim on volume prod/db at lost nodes now.");
  }

  private static Node node(String id, NodeStatus status) {
    return Node.newBuilder().setNode(id).setStatus(status).build();
  }

  private static Claim.Builder on(String node, String alloc) {
    return ApiAnswers.ending("db", alloc).toBuilder().setNode(node);
  }

  @Test
  @DisplayName("it says that there is no claim, and asks")
  void none() {
    assertThat(run(answers("why", "no"), "node fence n1")).isEqualTo(ExitCode.FAILED);
    assertThat(said())
        .contains("There is no claim on node n1 now.")
        .endsWith("Nothing was sent.\n");
  }

  @Test
  @DisplayName("an API that does not answer is told, and it asks all the same")
  void unknown() {
    berth.close();
    assertThat(run(answers("why", "no"), "node fence n1")).isEqualTo(ExitCode.FAILED);
    assertThat(said().replaceAll("\\s+", " "))
        .contains("Which claims that hits is not known now: no answer from the API")
        .endsWith("Nothing was sent. ");
  }

  @Test
  @DisplayName("what was confirmed beforehand reads nothing more")
  void confirmed() {
    assertThat(run(NOBODY, "node fence n1 --yes --reason off")).isEqualTo(ExitCode.OK);
    assertThat(berth.asked).hasSize(1);
  }

  @Test
  @DisplayName("a deregistration by force names its volumes")
  void deregister() {
    berth.claims.add(ApiAnswers.ending("db", "a1"));
    assertThat(run(answers("why", "no"), "volume deregister prod/db --force"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(said())
        .startsWith("Takes 1 volume (prod/db) out of Berth under claims that are still")
        .contains("1 claim on volume prod/db now:\n  prod/db a1 on n1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"down", "gone"})
  @DisplayName("a node that is said to be down or gone is named, and asked about")
  void lost(String status) throws IOException {
    berth.claims.add(ApiAnswers.ending("db", "a1"));
    String line = apply("[{id: n1, status: %s}, {id: n2, status: ready}]".formatted(status));
    assertThat(run(NOBODY, line)).isEqualTo(ExitCode.USAGE);
    assertThat(said())
        .startsWith("Says that 1 node (n1) went down or is gone, and ends their claims")
        .contains("A running workload loses the volume", "1 claim on node n1 now:")
        .contains("confirm it with --yes and say why with --reason");
    err.reset();
    assertThat(run(answers("why", "no"), line)).isEqualTo(ExitCode.FAILED);
    err.reset();
    assertThat(run(NOBODY, line + " --yes --reason off")).isEqualTo(ExitCode.USAGE);
    assertThat(said()).contains("bootstrap.servers is not set");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "disconnected"})
  @DisplayName("a node that is said to be ready or disconnected is not asked about")
  void there(String status) throws IOException {
    assertThat(run(NOBODY, apply("{id: n1, status: %s}".formatted(status))))
        .isEqualTo(ExitCode.USAGE);
    assertThat(said()).startsWith("berth: bootstrap.servers is not set");
    assertThat(berth.asked).isEmpty();
  }

  private String apply(String nodes) throws IOException {
    Path file = Files.writeString(directory.resolve("nodes.yaml"), nodes);
    return "node apply --scheduler east -f " + file;
  }

  private static Question answers(String... answers) {
    Deque<String> left = new ArrayDeque<>(List.of(answers));
    return text -> Optional.ofNullable(left.poll());
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private int run(Question question, String line) {
    Terminal terminal =
        Terminal.plain(
            new PrintStream(new ByteArrayOutputStream()),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
    words.addAll(List.of("--api", berth.address()));
    return BerthCommand.commandLine(terminal, Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC), question)
        .execute(words.toArray(String[]::new));
  }
}
