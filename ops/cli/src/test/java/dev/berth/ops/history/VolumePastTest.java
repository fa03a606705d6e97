package dev.berth.ops.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.codec.ClaimCodec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.query.VolumeAnswer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VolumePastTest {
  private static final VolumeKey DB = new VolumeKey("prod", "db");

  @Test
  @DisplayName("a table is the fold of the decisions up to its time, that of the time among them")
  void fold() {
    VolumePast past =
        new VolumePast(
            false,
            Optional.of(at(10)),
            List.of(put(10, "a1", 10), put(20, "a2", 20), remove(30, "a1")),
            List.of());
    assertThat(past.at(at(9))).isEqualTo(tables(List.of()));
    assertThat(past.at(at(10))).isEqualTo(tables(List.of(), put(10, "a1", 10)));
    assertThat(past.at(at(29))).isEqualTo(tables(List.of(), put(10, "a1", 10), put(20, "a2", 20)));
    assertThat(past.at(at(31))).isEqualTo(tables(List.of(), put(20, "a2", 20)));
    assertThat(past.reaches(at(0))).isTrue();
  }

  @Test
  @DisplayName("rows from before what is left of the history are its base")
  void base() {
    VolumePast past =
        new VolumePast(
            true,
            Optional.of(at(100)),
            List.of(put(110, "a2", 110)),
            List.of(put(20, "a1", 20), put(110, "a2", 110)));
    assertThat(past.reaches(at(99))).isFalse();
    assertThat(past.at(at(105))).isEqualTo(tables(List.of(), put(20, "a1", 20)));
    assertThat(past.at(at(110)))
        .isEqualTo(tables(List.of(), put(20, "a1", 20), put(110, "a2", 110)));
  }

  @Test
  @DisplayName("a row that was there and of which nothing is left is named, a later one is not")
  void unknown() {
    VolumePast past =
        new VolumePast(
            true,
            Optional.of(at(100)),
            List.of(remove(120, "freed"), put(130, "old", 50), put(140, "new", 140)),
            List.of());
    assertThat(past.at(at(110)))
        .isEqualTo(tables(List.of("claims prod/db/freed", "claims prod/db/old")));
    assertThat(past.at(at(125))).isEqualTo(tables(List.of("claims prod/db/old")));
    assertThat(past.at(at(135)).unknown()).isEmpty();
  }

  @Test
  @DisplayName("it is told in the words of the API")
  void words() {
    VolumePast past =
        new VolumePast(false, Optional.empty(), List.of(put(10, "a1", 10)), List.of());
    Optional<GetVolumeResponse> answer = VolumeAnswer.of(past.at(at(10)).state(), DB, at(10));
    assertThat(answer.orElseThrow().getClaimsList())
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.getAlloc()).isEqualTo("a1");
              assertThat(claim.getNextStep()).isEqualTo("wait");
            });
    assertThat(VolumeAnswer.of(past.at(at(9)).state(), DB, at(9))).isEmpty();
  }

  private static VolumePast.Tables tables(List<String> unknown, Written... rows) {
    MapState state = new MapState();
    for (Written row : rows) {
      state.apply(row.change());
    }
    return new VolumePast.Tables(state, unknown);
  }

  private static Written put(long second, String alloc, long claimedAt) {
    return new Written(
        at(second), new Change.Put<>(ClaimTables.CLAIMS, DB.of(alloc), claim(alloc, claimedAt)));
  }

  private static Written remove(long second, String alloc) {
    return new Written(at(second), new Change.Remove(ClaimTables.CLAIMS, DB.of(alloc)));
  }

  private static Claim claim(String alloc, long claimedAt) {
    return ClaimCodec.CLAIM
        .decode()
        .apply(
            dev.berth.records.Claim.newBuilder()
                .setNamespace(DB.namespace())
                .setVolume(DB.volume())
                .setAlloc(alloc)
                .setScheduler("east")
                .setNode("n1")
                .setGeneration(1)
                .setIndex(1)
                .setRequestId("r")
                .setMode(ClaimMode.WRITE)
                .setAccess(AccessMode.SINGLE_NODE_WRITER)
                .setAttachment(AttachmentMode.FILE_SYSTEM)
                .setState(ClaimState.WAITING)
                .setClaimedAt(at(claimedAt))
                .setStateSince(at(claimedAt))
                .build());
  }

  private static Instant at(long second) {
    return Instant.EPOCH.plusSeconds(second);
  }
}
