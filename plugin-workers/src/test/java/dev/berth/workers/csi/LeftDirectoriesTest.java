package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static dev.berth.workers.WorkFixtures.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.PluginRole;
import dev.berth.workers.FakePlugin;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a mount when it is undone. */
class LeftDirectoriesTest {

  @TempDir Path mounts;

  private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
  private final Clocks system = Clocks.system();
  private final Clocks clocks =
      () -> {
        Moment now = system.read();
        return new Moment(now.nanos() + later.get().toNanos(), now.wall().plus(later.get()));
      };
  private FakePlugin plugin;
  private PluginEndpoints endpoints;

  @BeforeEach
  void startPlugin() throws IOException {
    plugin = FakePlugin.start();
    endpoints =
        new PluginEndpoints(
            List.of(
                new PluginEndpoint(
                    new EndpointConfig(
                        "a",
                        Optional.of("ebs"),
                        PluginRole.NODE,
                        "n1",
                        "node-n1",
                        plugin.address(),
                        Optional.empty(),
                        Optional.empty()),
                    PluginConnection.plaintext(plugin.address()),
                    mounts)));
  }

  @AfterEach
  void stopPlugin() {
    endpoints.close();
    plugin.close();
  }

  @Test
  void nothingIsLeftOfTheDirectoriesThatWereMadeForAMountWhenItIsUndone() throws IOException {
    SecretSource none = reference -> new SecretSource.Lookup.Missing("there is none");
    for (CsiCall rpc :
        List.of(
            CsiCall.NODE_STAGE,
            CsiCall.NODE_PUBLISH,
            CsiCall.NODE_UNPUBLISH,
            CsiCall.NODE_UNSTAGE)) {
      assertThat(caller(none, IncarnationCheck.none()).call(accepted(), call(rpc).build()))
          .isInstanceOf(CallResult.Answered.class);
    }

    try (Stream<Path> left = Files.walk(mounts)) {
      assertThat(left.map(path -> mounts.relativize(path).toString()))
          .noneMatch(path -> path.contains("a1") || path.endsWith("v1"));
    }
  }

  private Accepted accepted() {
    return Accepted.of(work("t1").setRoute("node-n1").build(), "w1", "x1", clocks.read());
  }

  private CsiCaller caller(SecretSource secrets, IncarnationCheck check) {
    return new CsiCaller(
        endpoints, secrets, new MissingSecrets(secrets), check, TimeOfSendTest.NEVER_LATE, clocks);
  }
}
