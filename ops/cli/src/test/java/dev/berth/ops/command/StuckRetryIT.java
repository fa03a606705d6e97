package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.Alloc;
import dev.berth.producers.Author;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.VolumeUse;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchStuckResponse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.VolumeSpec;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims of two plugins that are stuck for two reasons, on the stack of {@code berth dev}. */
class StuckRetryIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Script script = Script.empty();
  @TempDir private Path temp;

  @Test
  @DisplayName(
      "what is chosen by code and plugin is shown by a dry run, then retried at the rate, and no"
          + " other claim is; a watch tells who gets free")
  void chosen() throws Exception {
    for (String volume : List.of("vol-1", "vol-2", "vol-3", "disk-1")) {
      script.add(detach(volume).fail(Status.Code.PERMISSION_DENIED, "credentials have expired"));
    }
    script.add(detach("vol-4").fail(Status.Code.UNIMPLEMENTED, "not today"));
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            StackConfig.in(temp.resolve("data")).withNodes(2).withScript(script),
            Clock.systemUTC(),
            step -> {})) {
      claimAndEnd(stack);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(api(stack, "stuck", "list"))
                      .contains("prod/db1", "prod/db2", "prod/db3", "prod/db4", "prod/web"));

      assertThat(
              api(
                  stack,
                  "stuck",
                  "retry",
                  "--code",
                  "controller-error",
                  "--plugin",
                  "ebs",
                  "--dry-run"))
          .contains("prod/db1", "prod/db2", "prod/db3", "\n3 controller-error of plugin ebs\n")
          .contains("3 would be retried; nothing was sent")
          .doesNotContain("prod/db4", "prod/web");
      assertThat(api(stack, "stuck", "retry", "--plugin", "ebs", "--dry-run"))
          .contains("3 controller-error of plugin ebs", "1 unimplemented of plugin ebs");
      assertThat(retries(stack)).isZero();

      ManagedChannel channel =
          Grpc.newChannelBuilder(stack.apiAddress(), InsecureChannelCredentials.create()).build();
      Iterator<WatchStuckResponse> changes =
          BerthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .watchStuck(
                  WatchStuckRequest.newBuilder()
                      .setPlugin("ebs")
                      .setCode("controller-error")
                      .build());
      assertThat(until(changes, WatchStuckResponse.ChangeCase.SYNCED)).hasSize(4);
      script.clear();
      script.add(detach("vol-4").fail(Status.Code.UNIMPLEMENTED, "not today"));
      script.add(detach("disk-1").fail(Status.Code.PERMISSION_DENIED, "credentials have expired"));

      long begun = System.nanoTime();
      assertThat(
              api(
                  stack,
                  "stuck",
                  "retry",
                  "--code",
                  "controller-error",
                  "--plugin",
                  "ebs",
                  "--rate",
                  "2",
                  "--reason",
                  "new credentials"))
          .contains("prod/db1 a1", "prod/db2 a2", "prod/db3 a3")
          .doesNotContain("prod/db4", "prod/web", "refused", "failed");
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .as("three at two a second")
          .isGreaterThan(Duration.ofSeconds(1));
      assertThat(retries(stack)).isEqualTo(3);

      List<String> freed = new ArrayList<>();
      while (freed.size() < 3) {
        for (WatchStuckResponse change : until(changes, WatchStuckResponse.ChangeCase.REMOVED)) {
          if (change.hasRemoved()) {
            freed.add(change.getRemoved().getAlloc());
          }
        }
      }
      assertThat(freed).containsExactlyInAnyOrder("a1", "a2", "a3");
      channel.shutdownNow();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(api(stack, "claim", "list"))
                      .contains("prod/db4", "prod/web")
                      .doesNotContain("prod/db1", "prod/db2", "prod/db3"));
    }
  }

  private static Rule detach(String volume) {
    return Rule.on(Rpc.CONTROLLER_UNPUBLISH).volume(volume);
  }

  /** What is told up to the first change of a kind. */
  private static List<WatchStuckResponse> until(
      Iterator<WatchStuckResponse> changes, WatchStuckResponse.ChangeCase kind) {
    List<WatchStuckResponse> told = new ArrayList<>();
    do {
      told.add(changes.next());
    } while (told.get(told.size() - 1).getChangeCase() != kind);
    return told;
  }

  /** Commands to retry that were answered (count). */
  private static long retries(EmbeddedStack stack) {
    return run(
            "topics",
            "read",
            "command-results",
            "-o",
            "json",
            "--bootstrap-servers",
            stack.bootstrapServers(),
            "--registry",
            stack.registryUrl())
        .lines()
        .filter(line -> line.contains("RetryVolume"))
        .count();
  }

  private static void claimAndEnd(EmbeddedStack stack) throws Exception {
    try (Commands commands = Commands.start(stack.connection());
        Scheduler scheduler = Scheduler.start(SchedulerConfig.of("dev", stack.connection()))) {
      for (int i = 1; i <= 4; i++) {
        use(commands, scheduler, StackPlugin.EBS, "db" + i, "vol-" + i, "a" + i);
      }
      use(commands, scheduler, StackPlugin.GCE, "web", "disk-1", "a5");
    }
  }

  private static void use(
      Commands commands,
      Scheduler scheduler,
      String plugin,
      String volume,
      String external,
      String alloc)
      throws Exception {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace("prod")
            .setVolume(volume)
            .setPlugin(plugin)
            .setExternalId(external)
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    commands.registerVolume(spec, Author.of("test")).get(60, TimeUnit.SECONDS);
    scheduler
        .claim(
            ClaimRequest.write(alloc, "n2", "prod", volume, AccessMode.SINGLE_NODE_WRITER).build())
        .get(60, TimeUnit.SECONDS);
    Alloc used = Alloc.of(alloc, VolumeUse.of("prod", volume));
    // Node workers unmount what ebs has; what gce has its client does.
    if (plugin.equals(StackPlugin.GCE)) {
      scheduler.unmounted(used).get(60, TimeUnit.SECONDS);
    }
    scheduler.alloc(used, ClientStatus.COMPLETE, DesiredStatus.RUN).get(60, TimeUnit.SECONDS);
  }

  private static String api(EmbeddedStack stack, String... command) {
    List<String> args = new ArrayList<>(List.of(command));
    args.addAll(List.of("--api", stack.apiAddress()));
    return run(args.toArray(String[]::new));
  }

  private static String run(String... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    assertThat(BerthCommand.run(Terminal.plain(out, err), args))
        .as(printed.toString(StandardCharsets.UTF_8))
        .isEqualTo(ExitCode.OK);
    return printed.toString(StandardCharsets.UTF_8);
  }
}
