package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Lists")
class ListedTest {
  private final FakeBerth berth = new FakeBerth();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @AfterEach
  void close() {
    berth.close();
  }

  @ParameterizedTest(name = "berth {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          claim list --plugin gcee  | no such plugin 'gcee'; see berth plugin list
          stuck list --node n9      | no such node 'n9'; see berth node list
          attachment list --node n9 | no such node 'n9'; see berth node list
          node slots --plugin gcee  | no such plugin 'gcee'; see berth plugin list
          lane list --plugin gcee   | no such plugin 'gcee'; see berth plugin list
          volume list --plugin gcee | no such plugin 'gcee'; see berth plugin list
          """)
  @DisplayName("narrowed to what is not there say so and exit 1")
  void unknown(String line, String said) {
    assertThat(run(line)).isEqualTo(ExitCode.FAILED);
    assertThat(text(err)).isEqualTo("berth: " + said + "\n");
  }

  @Test
  @DisplayName("narrowed to what is there may be empty")
  void empty() {
    berth.plugins.add(Plugin.newBuilder().setPlugin("ebs").build());
    berth.nodes.add(Node.newBuilder().setNode("n1").build());
    assertThat(run("claim list --plugin ebs --node n1")).isEqualTo(ExitCode.OK);
    assertThat(text(out)).isEqualTo("No claims.\n");
    assertThat(text(err)).isEmpty();
  }

  @Test
  @DisplayName("of plugins show which are paused")
  void paused() throws JsonProcessingException {
    berth.plugins.add(Plugin.newBuilder().setPlugin("ebs").setControllers(1).build());
    berth.plugins.add(Plugin.newBuilder().setPlugin("gce").setControllers(1).build());
    berth.lanes.add(
        PluginLanes.newBuilder()
            .setPlugin("gce")
            .setPause(
                Pause.newBuilder()
                    .setAuthor("root")
                    .setReason("upgrade")
                    .setAt(ApiAnswers.ago(Duration.ofMinutes(5))))
            .build());
    assertThat(run("plugin list")).isEqualTo(ExitCode.OK);
    assertThat(text(out))
        .isEqualTo(
            """
            PLUGIN  STATE    CONTROLLERS  NODES  ATTACHES  STAGES  GONE SINCE
            ebs     running  0 of 1 well  -      -         -       -
            gce     paused   0 of 1 well  -      -         -       -
            """);
    assertThat(run("plugin list -o wide")).isEqualTo(ExitCode.OK);
    assertThat(text(out)).contains("5m ago by root: upgrade");
    assertThat(run("plugin list -o json")).isEqualTo(ExitCode.OK);
    assertThat(new ObjectMapper().readTree(text(out)).at("/1/pause/author").asText())
        .isEqualTo("root");
  }

  private int run(String line) {
    out.reset();
    err.reset();
    List<String> words = new ArrayList<>(List.of(line.split(" +", -1)));
    words.addAll(List.of("--api", berth.address()));
    return BerthCommand.commandLine(
            Terminal.plain(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)),
            Clock.fixed(ApiAnswers.NOW, ZoneOffset.UTC),
            text -> Optional.empty())
        .execute(words.toArray(String[]::new));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
