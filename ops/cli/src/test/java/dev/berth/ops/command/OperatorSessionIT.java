package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.VolumeSpec;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The session of ops/README.md, on the stack that {@code berth dev} starts. */
class OperatorSessionIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Script script = Script.empty();
  @TempDir private Path temp;

  @Test
  @DisplayName(
      "a stuck claim is found, understood, and freed once the plugin is mended: three commands")
  void session() throws Exception {
    script.add(
        Rule.on(Rpc.CONTROLLER_UNPUBLISH)
            .fail(Status.Code.PERMISSION_DENIED, "credentials have expired"));
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            StackConfig.in(temp.resolve("data")).withNodes(2).withScript(script),
            Clock.systemUTC(),
            step -> {})) {
      claimAndEnd(stack);
      await()
          .atMost(PATIENCE)
          .until(() -> !berth(stack, ExitCode.OK, "stuck", "list").startsWith("No "));

      assertThat(berth(stack, ExitCode.OK, "stuck", "list"))
          .contains("prod/db", "a1", "n2", "detach", "controller-error");
      assertThat(berth(stack, ExitCode.OK, "volume", "status", "prod/db"))
          .contains("PERMISSION_DENIED: credentials have expired", "berth stuck retry prod/db");
      assertThat(berth(stack, ExitCode.OK, "stuck", "retry", "--plugin", "ebs", "--dry-run"))
          .contains("1 controller-error of plugin ebs", "nothing was sent");
      assertThat(berth(stack, ExitCode.OK, "stuck", "retry", "--plugin", "ebs", "--rate", "5"))
          .contains("prod/db a1", "ok");
      await()
          .atMost(PATIENCE)
          .until(() -> !berth(stack, ExitCode.OK, "stuck", "list").startsWith("No "));
      assertThat(berth(stack, ExitCode.OK, "attachment", "list", "--volume", "prod/db"))
          .contains("prod/db", "n2", "ebs");
      Instant stuck = Instant.now();
      script.clear();
      assertThat(
              berth(stack, ExitCode.OK, "stuck", "retry", "prod/db", "--reason", "new credentials"))
          .contains("ok");

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(berth(stack, ExitCode.OK, "claim", "list")).isEqualTo("No claims.\n"));
      assertThat(berth(stack, ExitCode.OK, "claim", "why", "prod/db", "a1"))
          .contains("The claim is gone", "credentials have expired", "claim-history-")
          .contains("reserved", "asks for the attach");
      assertThat(past(stack, ExitCode.OK, "prod/db", stuck, "text"))
          .contains("At " + stuck, "On the way out", "credentials have expired")
          .doesNotContain("What would help");
      assertThat(past(stack, ExitCode.FAILED, "prod/other", stuck, "text")).isEmpty();
      assertThat(berth(stack, ExitCode.FAILED, "node", "fence", "n1", "--yes", "--reason", "x"))
          .contains("refused (node-alive)");
      JsonNode past =
          new ObjectMapper().readTree(past(stack, ExitCode.OK, "prod/db", stuck, "json"));
      assertThat(past.get("at").asText()).isEqualTo(stuck.toString());
      assertThat(past.at("/claims/0/hold/code").asText()).isEqualTo("controller-error");
      assertThat(past.get("unknown")).isEmpty();
      assertThat(doctor(stack, "text"))
          .contains("ok       API", "ok       stuck claims    none")
          .matches(text -> text.lines().allMatch(line -> line.length() <= 100), "fits");
      assertThat(new ObjectMapper().readTree(doctor(stack, "json")))
          .extracting(check -> check.get("check").asText() + " " + check.get("result").asText())
          .contains("transactions ok", "timeouts ok", "clock ok", "ACLs warning", "plugin ebs ok");
    }
  }

  private static void claimAndEnd(EmbeddedStack stack) throws Exception {
    try (Commands commands = Commands.start(stack.connection());
        Scheduler scheduler = Scheduler.start(SchedulerConfig.of("dev", stack.connection()))) {
      VolumeSpec volume =
          VolumeSpec.newBuilder()
              .setNamespace("prod")
              .setVolume("db")
              .setPlugin("ebs")
              .setExternalId("vol-1")
              .setCapabilities(
                  List.of(
                      new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
              .build();
      commands.registerVolume(volume, Author.of("test")).get(60, TimeUnit.SECONDS);
      scheduler
          .claim(
              ClaimRequest.write("a1", "n2", "prod", "db", AccessMode.SINGLE_NODE_WRITER).build())
          .get(60, TimeUnit.SECONDS);
      scheduler
          .alloc(
              Alloc.of("a1", VolumeUse.of("prod", "db")), ClientStatus.COMPLETE, DesiredStatus.RUN)
          .get(60, TimeUnit.SECONDS);
    }
  }

  private static String doctor(EmbeddedStack stack, String format) {
    return run(
        ExitCode.OK,
        "doctor",
        "-o",
        format,
        "--bootstrap-servers",
        stack.bootstrapServers(),
        "--registry",
        stack.registryUrl(),
        "--api",
        stack.apiAddress());
  }

  private static String past(
      EmbeddedStack stack, int code, String volume, Instant at, String format) {
    return run(
        code,
        "history",
        volume,
        "--at",
        at.toString(),
        "-o",
        format,
        "--bootstrap-servers",
        stack.bootstrapServers(),
        "--registry",
        stack.registryUrl());
  }

  private static String berth(EmbeddedStack stack, int code, String... command) {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of("--api", stack.apiAddress()));
    return run(code, args.toArray(String[]::new));
  }

  private static String run(int code, String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    assertThat(BerthCommand.run(Terminal.plain(out, err), args))
        .as(printed.toString(StandardCharsets.UTF_8))
        .isEqualTo(code);
    return printed.toString(StandardCharsets.UTF_8);
  }
}
