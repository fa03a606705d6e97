package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.DeadLetter;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("it listens to a logger that every topology writes to")
@DisplayName("The log of decisions")
class DecisionLogTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final VolumeKey VOLUME = new VolumeKey("prod", "db");

  private final Logger logger = (Logger) LoggerFactory.getLogger(DecisionLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.DEBUG);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  @DisplayName(
      "names volume, alloc, plugin and attempt of what goes out, and nothing that it carries")
  void calls() {
    DecisionLog.tell(
        new ClaimsEvent.Look(VOLUME, "due", false),
        new Decision<>(
            List.of(),
            List.of(
                new ClaimsEffect.Requested(
                    new LaneRequest(
                        "prod/db#1",
                        "ebs",
                        "prod/db",
                        NOW,
                        new LaneRequest.Enqueue(call(), true))))));
    DecisionLog.tell(
        new Decision<LanesEffect>(
            List.of(),
            List.of(
                new LanesEffect.Dispatch(work()),
                new LanesEffect.Settle(
                    new Settlement(
                        "prod/db#1",
                        "prod/db",
                        "ebs",
                        null,
                        NOW,
                        new Settlement.Done(RpcCode.OK, false, Map.of("device", "hush-4711")))))));

    assertThat(text())
        .containsExactly(
            "DEBUG lane asked volume=prod/db alloc=a1 plugin=ebs node=n1 request=prod/db#1"
                + " asked=Enqueue rpc=CONTROLLER_PUBLISH",
            "DEBUG call dispatched volume=prod/db alloc=a1 plugin=ebs node=n1 attempt=ebs/7-1"
                + " lane=ebs/controller request=prod/db#1 rpc=CONTROLLER_PUBLISH",
            "DEBUG lane settled volume=prod/db plugin=ebs request=prod/db#1 as=Done");
  }

  @Test
  @DisplayName("tells at info what an operator is told")
  void stuck() {
    logger.setLevel(Level.INFO);
    DeadLetter letter =
        new DeadLetter(
            VOLUME,
            "a1",
            "n1",
            "ebs",
            "vol-1",
            "i-1",
            ClaimState.NODE_DETACHED,
            false,
            new Hold(
                HoldCode.CONTROLLER_ERROR, "no disk", RpcCode.INTERNAL, 8, NOW, NOW, NOW, true));

    DecisionLog.tell(
        new ClaimsEvent.Look(VOLUME, "due", false),
        new Decision<>(
            List.of(),
            List.of(
                new ClaimsEffect.Stuck(letter, CsiCall.CONTROLLER_UNPUBLISH),
                new ClaimsEffect.Resolved(letter, "detached"))));

    assertThat(text())
        .containsExactly(
            "INFO claim is stuck volume=prod/db alloc=a1 plugin=ebs node=n1 code=CONTROLLER_ERROR"
                + " attempts=8",
            "INFO claim goes on volume=prod/db alloc=a1 plugin=ebs node=n1 how=detached");
  }

  private List<String> text() {
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  private static Work work() {
    return new Work(
        "ebs/7-1",
        "ebs",
        "ebs/controller",
        "pool",
        "n1",
        "",
        0,
        Duration.ofMinutes(1),
        NOW,
        List.of(new Work.WorkCall("prod/db#1", call())));
  }

  private static Call call() {
    return new Call(
        CsiCall.CONTROLLER_PUBLISH,
        "prod",
        "db",
        "a1",
        "n1",
        "vol-1",
        "i-1",
        AccessMode.SINGLE_NODE_WRITER,
        AttachmentMode.FILE_SYSTEM,
        false,
        null,
        List.of("password=hush-4712"),
        Map.of(),
        Map.of(),
        Map.of("token", "${file:/etc/hush:key}"));
  }
}
