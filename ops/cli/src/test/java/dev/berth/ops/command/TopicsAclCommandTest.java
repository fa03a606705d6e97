package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.ops.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicsAclCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  @DisplayName("each line is a comment or a command for the kind, its principal and its broker")
  void text() {
    assertThat(
            run("streams --principal streams=User:CN=berth --prefix prod --bootstrap-servers b:1"))
        .isEqualTo(ExitCode.OK);
    assertThat(text(out).lines())
        .isNotEmpty()
        .allMatch(
            line ->
                line.startsWith("# ")
                    || line.startsWith(
                        "kafka-acls --bootstrap-server b:1 --add --allow-principal User:CN=berth"
                            + " --operation "));
    assertThat(text(out)).contains("--topic prod.claims ", "--group prod-streams");
  }

  @Test
  @DisplayName("JSON has an entry for each resource")
  void json() throws JsonProcessingException {
    assertThat(run("provisioner -o json")).isEqualTo(ExitCode.OK);
    JsonNode rules = new ObjectMapper().readTree(text(out));
    assertThat(rules.toString())
        .isEqualTo(
            "[{\"kind\":\"provisioner\",\"principal\":\"User:berth-provisioner\","
                + "\"resource\":\"topic\",\"pattern\":\"prefixed\",\"name\":\"berth.\","
                + "\"operations\":[\"Create\",\"Describe\",\"DescribeConfigs\"],"
                + "\"for\":\"berth topics create\"}]");
  }

  @Test
  @DisplayName("a kind that there is not is a usage error that names those there are")
  void usage() {
    assertThat(run("broker")).isEqualTo(ExitCode.USAGE);
    assertThat(run("--principal broker=User:x")).isEqualTo(ExitCode.USAGE);
    assertThat(text(err))
        .contains(
            "'broker' is no kind of process; there are streams, worker, scheduler, operator,"
                + " provisioner");
  }

  private int run(String line) {
    return BerthCommand.run(
        Terminal.plain(new PrintStream(out), new PrintStream(err)),
        ("topics acl " + line).split(" ", -1));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
