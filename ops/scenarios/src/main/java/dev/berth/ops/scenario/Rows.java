package dev.berth.ops.scenario;

import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.codec.ClaimCodec;
import java.util.Locale;
import org.apache.kafka.streams.state.KeyValueStore;

/** Stored claims as an old version, a hand edit or a bug left them. */
final class Rows {
  /** Store of the claims. */
  static final String CLAIMS = "volume-claims-claims";

  /** Store of the attachments. */
  static final String ATTACHMENTS = "volume-claims-attachments";

  private Rows() {}

  static void edit(World world, Value.Fields f) {
    f.allow("volume", "namespace", "alloc", "state", "external-node");
    String key = f.text("namespace", "default") + "/" + f.text("volume") + "/" + f.text("alloc");
    KeyValueStore<String, Claim> store = world.writable(CLAIMS);
    Claim claim = store.get(key);
    if (claim == null) {
      throw f.place().problem("no stored claim " + key);
    }
    dev.berth.records.Claim row = ClaimCodec.CLAIM.encode().apply(claim);
    dev.berth.records.Claim.Builder edited = dev.berth.records.Claim.newBuilder(row);
    f.optional("external-node")
        .ifPresent(
            node ->
                edited.setTerms(
                    dev.berth.records.ClaimTerms.newBuilder(row.getTerms().orElseThrow())
                        .setExternalNode(node)
                        .build()));
    f.optional("state").ifPresent(state -> inState(edited, state));
    claim = ClaimCodec.CLAIM.decode().apply(edited.build());
    store.put(key, claim);
  }

  private static void inState(dev.berth.records.Claim.Builder row, String words) {
    ClaimState state = ClaimState.valueOf(words.toUpperCase(Locale.ROOT).replace('-', '_'));
    row.setState(state);
    if (state.compareTo(ClaimState.TAKEN) <= 0) {
      row.setEndedAt(null).setEndCause(EndCause.NONE);
    }
  }
}
