package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.DetachCommand;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitCommandsTest {
  private static final Question NOBODY = text -> Optional.empty();

  private final FakeBerth berth = new FakeBerth();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @AfterEach
  void close() {
    berth.close();
  }

  @ParameterizedTest(name = "berth {0}")
  @ValueSource(
      strings = {
        "detach prod/db n1",
        "unblock prod/db",
        "stuck assume-detached prod/db n1",
        "node fence n1",
        "node unfence n1"
      })
  @DisplayName(
      "what can lose data says so, and sends nothing unless it is confirmed and has a reason")
  void danger(String line) {
    assertThat(run(NOBODY, words(line))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err))
        .containsAnyOf("can be destroyed", "loses the volume")
        .contains("nothing was sent: confirm it with --yes and say why with --reason");
    assertThat(run(NOBODY, words(line + " --yes"))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains("nothing was sent: say why with --reason, which is empty");
    err.reset();
    assertThat(run(NOBODY, words(line + " --reason x"))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err))
        .contains("nothing was sent: confirm it with --yes")
        .doesNotContain("--reason,", "with --reason");
    assertThat(berth.asked).noneMatch(SubmitCommandRequest.class::isInstance);
    berth.asked.clear();
    assertThat(run(NOBODY, words(line + " --yes --reason x"))).isEqualTo(ExitCode.OK);
    assertThat(berth.asked).hasSize(1);
    assertThat(output(err).lines()).allMatch(each -> each.length() <= 100, "fits");
  }

  @Test
  @DisplayName("on a terminal the reason and the yes are asked for")
  void asked() {
    assertThat(run(answers("moved", "yes"), words("detach prod/db n1 --by ann")))
        .isEqualTo(ExitCode.OK);
    assertThat(sent())
        .isEqualTo(
            SubmitCommandRequest.newBuilder()
                .setAuthor("ann")
                .setReason("moved")
                .setDetach(DetachCommand.newBuilder().setRef(ApiAnswers.ref("db")).setNode("n1"))
                .build());
  }

  @ParameterizedTest
  @CsvSource({"moved,no", "moved,y", "'',yes"})
  @DisplayName("any other answer sends nothing and exits 1")
  void no(String reason, String answer) {
    assertThat(run(answers(reason, answer), words("node fence n1"))).isEqualTo(ExitCode.FAILED);
    assertThat(output(err)).contains("Nothing was sent");
    assertThat(berth.asked).noneMatch(SubmitCommandRequest.class::isInstance);
  }

  @Test
  @DisplayName("a refusal exits 1 with its code and why")
  void refused() throws JsonProcessingException {
    berth.desk =
        request ->
            SubmitCommandResponse.newBuilder()
                .setRefusal(
                    SubmitCommandResponse.Refusal.newBuilder()
                        .setCode("node-alive")
                        .setDetail("node n1 is ready"))
                .build();
    assertThat(run(NOBODY, words("node fence n1 --yes --reason x"))).isEqualTo(ExitCode.FAILED);
    assertThat(output(out)).contains("n1    refused (node-alive)  node n1 is ready");
    out.reset();
    assertThat(run(NOBODY, words("node fence n1 --yes --reason x -o json")))
        .isEqualTo(ExitCode.FAILED);
    assertThat(new ObjectMapper().readTree(output(out)).toString())
        .isEqualTo(
            "[{\"subject\":\"n1\",\"outcome\":\"refused\",\"code\":\"node-alive\","
                + "\"message\":\"node n1 is ready\"}]");
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plugin pause ebs   | PAUSE
          plugin resume ebs  | RESUME
          gc                 | COLLECT_GARBAGE
          stuck retry prod/db | RETRY
          """)
  @DisplayName("what loses nothing is sent at once, and says what it did")
  void harmless(String line, SubmitCommandRequest.CommandCase command) {
    assertThat(run(NOBODY, words(line))).isEqualTo(ExitCode.OK);
    assertThat(sent().getCommandCase()).isEqualTo(command);
    assertThat(output(out)).contains("ok", "done");
    out.reset();
    assertThat(run(NOBODY, words(line + " -o yaml"))).isEqualTo(ExitCode.OK);
    assertThat(output(out)).contains("  outcome: ok\n", "  message: done\n");
  }

  @Test
  @DisplayName("a long answer goes on under itself, and is one line when wide")
  void longAnswer() {
    String detail = "node n1 is ready ".repeat(12).strip();
    berth.desk =
        request ->
            SubmitCommandResponse.newBuilder()
                .setRefusal(
                    SubmitCommandResponse.Refusal.newBuilder()
                        .setCode("node-alive")
                        .setDetail(detail))
                .build();
    run(NOBODY, words("node fence n1 --yes --reason x"));
    assertThat(output(out).lines()).allMatch(line -> line.length() <= 100, "fits");
    assertThat(output(out).replaceAll("\\s+", " ")).contains(detail);
    run(NOBODY, words("node fence n1 --yes --reason x -o wide"));
    assertThat(output(out)).contains(detail);
  }

  @ParameterizedTest(name = "berth {0}")
  @ValueSource(strings = {"stuck retry prod/db", "stuck retry --plugin ebs"})
  @DisplayName("a retry says that nothing is tried while its plugin is paused")
  void pausedRetry(String line) {
    berth.volume = ApiAnswers.status();
    berth.stuck.add(ApiAnswers.stuck("db", "a1"));
    berth.lanes.add(
        PluginLanes.newBuilder()
            .setPlugin("ebs")
            .setPause(Pause.newBuilder().setAuthor("root").setReason("upgrade"))
            .build());
    assertThat(run(NOBODY, words(line))).isEqualTo(ExitCode.OK);
    assertThat((output(out) + output(err)).replaceAll("\\s+", " "))
        .contains(
            "plugin ebs is paused by root (upgrade), and nothing of it is tried before berth plugin"
                + " resume ebs");
    assertThat(output(out).lines()).allMatch(each -> each.length() <= 100, "fits");
  }

  @Test
  @DisplayName("a dry run shows what would be retried and sends nothing")
  void dryRun() throws JsonProcessingException {
    berth.stuck.add(ApiAnswers.stuck("db", "a1"));
    assertThat(run(NOBODY, words("stuck retry --plugin ebs --dry-run"))).isEqualTo(ExitCode.OK);
    assertThat(output(out))
        .contains("prod/db")
        .endsWith(
            """

            1 controller-error of plugin ebs
            1 would be retried; nothing was sent
            """);
    out.reset();
    assertThat(run(NOBODY, words("stuck retry --plugin ebs --dry-run -o json")))
        .isEqualTo(ExitCode.OK);
    assertThat(new ObjectMapper().readTree(output(out)).at("/0/code").asText())
        .isEqualTo("controller-error");
    assertThat(berth.asked).noneMatch(SubmitCommandRequest.class::isInstance);
  }

  @Test
  @DisplayName("all that are chosen are retried, each answered, and one failure exits 1")
  void bulk() {
    berth.stuck.add(ApiAnswers.stuck("db", "a1"));
    berth.stuck.add(ApiAnswers.stuck("db2", "a2"));
    berth.desk =
        request -> {
          if (request.getRetry().getAlloc().equals("a2")) {
            throw Status.PERMISSION_DENIED.withDescription("not yours").asRuntimeException();
          }
          return SubmitCommandResponse.newBuilder().setSummary("tried again").build();
        };
    assertThat(run(NOBODY, words("stuck retry --code controller-error --rate 100")))
        .isEqualTo(ExitCode.FAILED);
    assertThat(output(out).lines())
        .satisfiesExactly(
            head -> assertThat(head).startsWith("CLAIM"),
            first -> assertThat(first).contains("prod/db a1", "ok", "tried again"),
            second -> assertThat(second).contains("prod/db2 a2", "failed", "not yours"));
    assertThat(berth.asked)
        .filteredOn(RetryStuckRequest.class::isInstance)
        .containsExactly(
            RetryStuckRequest.newBuilder()
                .setCode("controller-error")
                .setRate(100)
                .setAuthor(((RetryStuckRequest) berth.asked.get(0)).getAuthor())
                .build());
  }

  @Test
  @DisplayName(
      "a command is sent again under the same id while an instance says that it can answer soon")
  void sameId() {
    berth.fail(FakeBerth.notYet(10));
    assertThat(run(NOBODY, words("gc"))).isEqualTo(ExitCode.OK);
    assertThat(berth.asked).hasSize(2);
    assertThat(berth.asked.get(0)).isEqualTo(berth.asked.get(1));
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stuck retry                      | name a volume as NAMESPACE/VOLUME, or choose by
          stuck retry prod/db --plugin ebs | name a volume as NAMESPACE/VOLUME, or choose by
          stuck retry --plugin ebs --rate 0 | --rate 0: give 1 to 100
          detach prod/db                   | Missing required parameter: 'NODE'
          """)
  @DisplayName("a command line that is not understood exits 2 and sends nothing")
  void usage(String line, String said) {
    assertThat(run(NOBODY, words(line))).isEqualTo(ExitCode.USAGE);
    assertThat(output(err)).contains(said);
    assertThat(berth.asked).isEmpty();
  }

  /** The last command sent, without the id, which is another each time. */
  private SubmitCommandRequest sent() {
    SubmitCommandRequest last =
        berth.asked.stream()
            .filter(SubmitCommandRequest.class::isInstance)
            .map(SubmitCommandRequest.class::cast)
            .reduce((one, next) -> next)
            .orElseThrow();
    assertThat(last.getCommandId()).isNotEmpty();
    return last.toBuilder().clearCommandId().build();
  }

  private static Question answers(String... answers) {
    Deque<String> left = new ArrayDeque<>(List.of(answers));
    return text -> Optional.ofNullable(left.poll());
  }

  private static List<String> words(String line) {
    return List.of(line.split(" +", -1));
  }

  private int run(Question question, List<String> line) {
    Terminal terminal =
        Terminal.plain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    List<String> words = new ArrayList<>(line);
    words.addAll(List.of("--api", berth.address()));
    return BerthCommand.commandLine(terminal, Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC), question)
        .execute(words.toArray(String[]::new));
  }

  private static String output(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
