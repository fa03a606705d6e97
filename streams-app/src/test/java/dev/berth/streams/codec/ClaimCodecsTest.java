package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.Counters;
import dev.berth.streams.claims.NodeClaim;
import dev.berth.streams.claims.Wake;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Codecs of the claims' tables")
class ClaimCodecsTest {

  @Test
  @DisplayName("bring every hold back as it was")
  void holds() {
    RoundTrip.check(HoldCodec.HOLD, random -> ClaimDraw.hold(new Draw(random)));
  }

  @Test
  @DisplayName("bring every volume back as it was")
  void volumes() {
    RoundTrip.check(VolumeCodec.VOLUME, random -> ClaimDraw.volume(new Draw(random)));
  }

  @Test
  @DisplayName("bring every claim back as it was")
  void claims() {
    RoundTrip.check(ClaimCodec.CLAIM, random -> ClaimDraw.claim(new Draw(random)));
  }

  @Test
  @DisplayName("take a context in a row of before an empty one could be its own for its own")
  void contextsOfBefore() {
    assertThat(ClaimCodec.CLAIM.decode().apply(rowOfBefore(Map.of())).publishContext()).isNull();
    assertThat(ClaimCodec.CLAIM.decode().apply(rowOfBefore(Map.of("d", "x"))).publishContext())
        .isEqualTo(Map.of("d", "x"));
  }

  private static dev.berth.records.Claim rowOfBefore(Map<String, String> context) {
    Claim claim = ClaimDraw.claim(new Draw(new Random(1)));
    return dev.berth.records.Claim.newBuilder(ClaimCodec.CLAIM.encode().apply(claim))
        .setPublishContext(context)
        .setOwnPublishContext(false)
        .build();
  }

  @Test
  @DisplayName("bring every attachment back as it was")
  void attachments() {
    RoundTrip.check(AttachmentCodec.ATTACHMENT, random -> ClaimDraw.attachment(new Draw(random)));
  }

  @Test
  @DisplayName("bring every remembered alloc back as it was")
  void memories() {
    RoundTrip.check(ClaimStoreCodecs.ALLOC_MEMORY, random -> ClaimDraw.memory(new Draw(random)));
  }

  @Test
  @DisplayName("bring every counter back as it was")
  void counters() {
    RoundTrip.check(
        ClaimStoreCodecs.COUNTERS,
        random -> new Counters(new Draw(random).number(), new Draw(random).number()));
  }

  @Test
  @DisplayName("bring every wake-up back as it was")
  void wakes() {
    RoundTrip.check(
        ClaimStoreCodecs.WAKE,
        random -> new Wake(new Draw(random).text(), new Draw(random).time()));
  }

  @Test
  @DisplayName("bring every index entry back as it was")
  void nodeClaims() {
    RoundTrip.check(
        ClaimStoreCodecs.NODE_CLAIM,
        random -> new NodeClaim(ClaimDraw.key(new Draw(random)), new Draw(random).text()));
  }
}
