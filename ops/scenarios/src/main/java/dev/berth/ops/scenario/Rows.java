package dev.berth.ops.scenario;

import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.codec.ClaimCodec;
import java.util.Locale;

/** Stored claims as an old version, a hand edit or a bug left them. */
final class Rows {
  private Rows() {}

  static void edit(World world, Value.Fields f) {
    f.allow("volume", "namespace", "alloc", "state", "external-node");
    String key = f.text("namespace", "default") + "/" + f.text("volume") + "/" + f.text("alloc");
    Claim claim = world.row(ClaimTables.CLAIMS, key);
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
    world.edit(ClaimTables.CLAIMS, key, claim);
  }

  private static void inState(dev.berth.records.Claim.Builder row, String words) {
    ClaimState state = ClaimState.valueOf(words.toUpperCase(Locale.ROOT).replace('-', '_'));
    row.setState(state);
    if (state.compareTo(ClaimState.TAKEN) <= 0) {
      row.setEndedAt(null).setEndCause(EndCause.NONE);
    }
  }
}
