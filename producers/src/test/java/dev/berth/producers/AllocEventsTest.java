package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AllocEventsTest {

  private static final VolumeUse V1 = VolumeUse.of("default", "v1");
  private static final VolumeUse V2 = VolumeUse.of("team", "v2").ofClaim(3);

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00.123456Z");
  private final AllocEvents events =
      new AllocEvents("east", new Indexes(IndexSource.CALLER, clock), clock);

  @Test
  void aClaimSaysAllThatWasAsked() {
    ClaimRequest request =
        ClaimRequest.write("a1", "n1", "default", "v1", AccessMode.SINGLE_NODE_WRITER)
            .attachment(AttachmentMode.BLOCK_DEVICE)
            .job("web", JobType.SERVICE)
            .block("data")
            .stopOnDisconnect(Duration.ofMinutes(5))
            .at(7)
            .build();

    assertThat(events.claim(request, "r1"))
        .isEqualTo(
            event(
                "default",
                "v1",
                new ClaimRequested(
                    "r1",
                    "n1",
                    "web",
                    JobType.SERVICE,
                    ClaimMode.WRITE,
                    AccessMode.SINGLE_NODE_WRITER,
                    AttachmentMode.BLOCK_DEVICE,
                    "data",
                    300_000L)));
  }

  @Test
  void aClaimLeavesOutWhatWasNotSaid() {
    ClaimRequest request =
        ClaimRequest.read("a1", "n1", "default", "v1", AccessMode.MULTI_NODE_READER).at(7).build();

    assertThat(events.claim(request, "r1").getBody())
        .isEqualTo(
            new ClaimRequested(
                "r1",
                "n1",
                null,
                JobType.OTHER,
                ClaimMode.READ,
                AccessMode.MULTI_NODE_READER,
                AttachmentMode.FILE_SYSTEM,
                null,
                null));
  }

  @Test
  void aStatusGoesToEveryVolumeOfTheAlloc() {
    assertThat(
            events.status(Alloc.of("a1", V1, V2).at(7), ClientStatus.RUNNING, DesiredStatus.STOP))
        .containsExactly(
            event(
                "default", "v1", new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.STOP)),
            event("team", "v2", new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.STOP)));
  }

  @Test
  void goneNamesTheClaimThatWasSeenWhereItIsKnown() {
    assertThat(events.gone(Alloc.of("a1", V1, V2).at(7)))
        .containsExactly(
            event("default", "v1", new AllocGone(null)), event("team", "v2", new AllocGone(3L)));
  }

  @Test
  void unmountedNamesItsClaimWhereItIsKnown() {
    assertThat(events.unmounted(Alloc.of("a1", V1, V2).at(7)))
        .containsExactly(
            event("default", "v1", new Unmounted(null)), event("team", "v2", new Unmounted(3L)));
  }

  @Test
  void aFailedUnmountCarriesTheClientsWords() {
    assertThat(events.unmountFailed(Alloc.of("a1", V2).at(7), "target is busy"))
        .containsExactly(event("team", "v2", new UnmountFailed(3L, "target is busy")));
  }

  private static AllocEvent event(String namespace, String volume, Object body) {
    return new AllocEvent(
        "east", 7L, namespace, volume, "a1", Instant.parse("2026-01-01T00:00:00.123Z"), body);
  }
}
