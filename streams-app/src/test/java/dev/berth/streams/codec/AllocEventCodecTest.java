package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Unmounted;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An alloc event")
class AllocEventCodecTest {
  private static final Instant WRITTEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant READ = Instant.parse("2026-01-01T00:00:07Z");
  private static final VolumeKey KEY = new VolumeKey("default", "vA");

  @Test
  @DisplayName("that claims is asked when it is read, not by the scheduler's clock")
  void claim() {
    ClaimsEvent.Stated read = AllocEventCodec.stated(event(claimed(20_000L)), READ);

    ClaimAsk ask =
        new ClaimAsk(
            "nomad",
            "r1",
            "n1",
            "db",
            JobType.BATCH,
            ClaimMode.WRITE,
            AccessMode.SINGLE_NODE_WRITER,
            AttachmentMode.FILE_SYSTEM,
            Duration.ofSeconds(20),
            READ);
    assertThat(read)
        .isEqualTo(new ClaimsEvent.Stated(KEY, "nomad", 7, "a1", new ClaimsEvent.Asked(ask)));
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("reads as the statement it is")
  void statements(Object body, ClaimsEvent.Statement statement) {
    ClaimsEvent.Stated read = AllocEventCodec.stated(event(body), READ);

    assertThat(read).isEqualTo(new ClaimsEvent.Stated(KEY, "nomad", 7, "a1", statement));
  }

  static Stream<Arguments> statements() {
    return Stream.of(
        Arguments.of(
            new AllocStatusChanged(ClientStatus.FAILED, DesiredStatus.STOP),
            new ClaimsEvent.StatusChanged(ClientStatus.FAILED, DesiredStatus.STOP)),
        Arguments.of(new AllocGone((Long) null), new ClaimsEvent.Gone(null)),
        Arguments.of(new AllocGone(3L), new ClaimsEvent.Gone(3L)),
        Arguments.of(new Unmounted((Long) null), new ClaimsEvent.Unmounted(null)),
        Arguments.of(new Unmounted(3L), new ClaimsEvent.Unmounted(3L)),
        Arguments.of(new UnmountFailed(null, "busy"), new ClaimsEvent.UnmountFailed(null, "busy")),
        Arguments.of(new UnmountFailed(3L, "busy"), new ClaimsEvent.UnmountFailed(3L, "busy")));
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("that names nothing usable is refused with the field, its value and the remedy")
  void refused(AllocEvent event, String error) {
    assertThatThrownBy(() -> AllocEventCodec.stated(event, READ))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(error);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            builder(new AllocGone((Long) null)).setNamespace("a/b").build(),
            "namespace 'a/b' holds a slash, which separates the parts of a key: take it out"),
        Arguments.of(
            builder(new AllocGone((Long) null)).setVolume("").build(),
            "volume is empty: name the volume"),
        Arguments.of(
            builder(new AllocGone((Long) null)).setAlloc("").build(),
            "alloc is empty: name the alloc"),
        Arguments.of(
            builder(new AllocGone((Long) null)).setScheduler("").build(),
            "scheduler is empty: name the scheduler"),
        Arguments.of(
            event(claimed(-1L)),
            "stopOnDisconnectMillis is -1: give a duration, or null for no promise"));
  }

  private static AllocEvent event(Object body) {
    return builder(body).build();
  }

  private static AllocEvent.Builder builder(Object body) {
    return AllocEvent.newBuilder()
        .setScheduler("nomad")
        .setIndex(7)
        .setNamespace("default")
        .setVolume("vA")
        .setAlloc("a1")
        .setAt(WRITTEN)
        .setBody(body);
  }

  private static ClaimRequested claimed(Long promiseMillis) {
    return ClaimRequested.newBuilder()
        .setRequestId("r1")
        .setNode("n1")
        .setJob("db")
        .setJobType(JobType.BATCH)
        .setMode(ClaimMode.WRITE)
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setAttachment(AttachmentMode.FILE_SYSTEM)
        .setStopOnDisconnectMillis(promiseMillis)
        .build();
  }
}
