package dev.berth.driver.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallLogTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final CallFacts ATTACH =
      new CallFacts("ebs", "c-1", Rpc.CONTROLLER_PUBLISH, "vol-1", "i-1", "", true);
  private static final CallFacts UNPUBLISH =
      new CallFacts("ebs", "i-1", Rpc.NODE_UNPUBLISH, "vol-1", "i-1", "/mnt/a", false);

  @TempDir private Path directory;

  /** One second passes from one event to the next. */
  private static InstantSource ticking() {
    return new InstantSource() {
      private long ticks;

      @Override
      public Instant instant() {
        return START.plusSeconds(++ticks);
      }
    };
  }

  private static Instant at(long second) {
    return START.plus(Duration.ofSeconds(second));
  }

  private static final List<Call> EXPECTED =
      List.of(
          new Call(
              1,
              ATTACH,
              at(1),
              Optional.of(new Call.Effect(3, at(3))),
              Optional.of(
                  new Call.End(
                      4,
                      at(4),
                      Status.Code.DEADLINE_EXCEEDED,
                      "the caller's deadline passed",
                      false))),
          new Call(2, UNPUBLISH, at(2), Optional.empty(), Optional.empty()));

  private static void write(CallLog log) {
    long attach = log.started(ATTACH);
    log.started(UNPUBLISH);
    log.affected(attach);
    log.ended(attach, Status.Code.DEADLINE_EXCEEDED, "the caller's deadline passed");
  }

  @Test
  void callsAreTheFoldOfTheEvents() {
    try (CallLog log = CallLog.inMemory(ticking())) {
      write(log);

      assertThat(log.calls()).isEqualTo(EXPECTED);
      assertThat(Call.fold(log.events())).isEqualTo(EXPECTED);
      assertThat(log.calls(Rpc.NODE_UNPUBLISH)).containsExactly(EXPECTED.get(1));
    }
  }

  @Test
  void fileHoldsTheSameAndCanBeReadMeanwhile() throws IOException {
    Path file = directory.resolve("calls.jsonl");
    try (CallLog log = CallLog.toFile(file, ticking())) {
      write(log);

      assertThat(CallLog.read(file)).isEqualTo(EXPECTED);
    }
    assertThat(Files.readAllLines(file))
        .startsWith(
            "{\"seq\":1,\"at\":\"2026-01-01T00:00:01Z\",\"event\":\"started\",\"plugin\":\"ebs\","
                + "\"instance\":\"c-1\",\"rpc\":\"ControllerPublishVolume\",\"volume\":\"vol-1\","
                + "\"node\":\"i-1\",\"path\":\"\",\"readonly\":true}");
  }

  @Test
  void enquiriesNeedNotBeNoted() throws IOException {
    Path file = directory.resolve("calls.jsonl");
    try (CallLog log = CallLog.toFileWithoutEnquiries(file, ticking())) {
      long probe = log.started(CallFacts.of("ebs", "c-1", Rpc.PROBE));
      log.ended(probe, Status.Code.OK, "");
      write(log);

      assertThat(probe).isZero();
      assertThat(log.calls()).isEqualTo(EXPECTED);
    }
  }

  @Test
  void callsOpenWhenTheProcessDiedHaveLostTheirConnection() throws IOException {
    Path file = directory.resolve("calls.jsonl");
    try (CallLog log = CallLog.toFile(file, ticking())) {
      write(log);
    }

    try (CallLog next = CallLog.toFile(file, ticking())) {
      long number = next.started(ATTACH);

      assertThat(number).isEqualTo(6);
      assertThat(next.calls())
          .extracting(Call::describe)
          .containsExactly(
              "#1 CP vol-1 i-1 ro -> DEADLINE_EXCEEDED (done all the same)",
              "#2 NU vol-1 @i-1 /mnt/a -> UNAVAILABLE",
              "#6 CP vol-1 i-1 ro -> open");
      assertThat(CallLog.read(file)).isEqualTo(next.calls());
    }
  }

  @Test
  void foreignFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("other.jsonl"), "{\"a\":1}\n");

    assertThatThrownBy(() -> CallLog.toFile(file, ticking()))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "%s is not a call log: cannot read the line {\"a\":1}; name another file", file);
  }

  @Test
  void callIsOpenFromItsStartUntilJustBeforeItsEnd() {
    Call call = EXPECTED.get(0);

    assertThat(List.of(call.isOpenAt(0), call.isOpenAt(1), call.isOpenAt(3), call.isOpenAt(4)))
        .containsExactly(false, true, true, false);
  }
}
