package dev.berth.ops.scenario;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Claim;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.ClaimTerms;
import dev.berth.records.EndCause;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.codec.ClaimCodec;
import java.util.function.Consumer;

/** Stored claims as an old version, a hand edit or a bug left them. */
final class Rows {
  private Rows() {}

  static void edit(World world, Value.Fields f) {
    String volume = f.text("namespace", "default") + "/" + f.text("volume");
    String key = volume + "/" + f.text("alloc");
    dev.berth.streams.claims.Claim stored = world.row(ClaimTables.CLAIMS, key);
    Claim.Builder row =
        stored == null
            ? made(world, volume, f)
            : Claim.newBuilder(ClaimCodec.CLAIM.encode().apply(stored));
    f.optional("node").ifPresent(row::setNode);
    f.optional("mode").ifPresent(mode -> row.setMode(Words.symbol(ClaimMode.class, mode)));
    f.optional("access").ifPresent(mode -> row.setAccess(Words.symbol(AccessMode.class, mode)));
    f.optional("attachment")
        .ifPresent(mode -> row.setAttachment(Words.symbol(AttachmentMode.class, mode)));
    f.optional("generation").ifPresent(number -> row.setGeneration(Long.parseLong(number)));
    f.optional("external-node").ifPresent(node -> terms(row, terms -> terms.setExternalNode(node)));
    f.optional("external").ifPresent(id -> terms(row, terms -> terms.setExternalVolume(id)));
    f.optional("plugin").ifPresent(plugin -> terms(row, terms -> terms.setPlugin(plugin)));
    f.optional("controller-required")
        .ifPresent(
            is -> terms(row, terms -> terms.setControllerRequired(Boolean.parseBoolean(is))));
    f.optional("state")
        .ifPresent(state -> inState(world, row, Words.symbol(ClaimState.class, state)));
    world.edit(ClaimTables.CLAIMS, key, ClaimCodec.CLAIM.decode().apply(row.build()));
  }

  private static void terms(Claim.Builder row, Consumer<ClaimTerms.Builder> change) {
    ClaimTerms.Builder terms = ClaimTerms.newBuilder(row.build().getTerms().orElseThrow());
    change.accept(terms);
    row.setTerms(terms.build());
  }

  /**
   * A row that nobody has taken, with the terms of the volume as it is registered, and no
   * attachment beside it. A taken row is one whose alloc was told.
   */
  private static Claim.Builder made(World world, String key, Value.Fields f) {
    Volume volume = world.row(ClaimTables.VOLUMES, key);
    if (volume == null || f.find("node").isEmpty()) {
      throw new StepImpossible(
          f.place(),
          "row",
          "a stored claim of " + f.text("alloc") + " on " + key,
          "there is none; a new row needs its node, and a volume that is registered");
    }
    PluginView plugin = world.row(ClusterTables.PLUGINS, volume.spec().plugin());
    return Claim.newBuilder()
        .setNamespace(volume.spec().namespace())
        .setVolume(volume.spec().volume())
        .setAlloc(f.text("alloc"))
        .setScheduler(Inputs.SCHEDULER)
        .setNode(f.text("node"))
        .setGeneration(0)
        .setIndex(0)
        .setRequestId("")
        .setMode(ClaimMode.WRITE)
        .setAccess(volume.spec().capabilities().get(0).access())
        .setAttachment(volume.spec().capabilities().get(0).attachment())
        .setState(ClaimState.TAKEN)
        .setGranted(true)
        .setClaimedAt(world.now())
        .setStateSince(world.now())
        .setTerms(
            ClaimTerms.newBuilder()
                .setPlugin(volume.spec().plugin())
                .setExternalVolume(volume.spec().externalId())
                .setControllerRequired(plugin == null || plugin.controllerRequired())
                .build());
  }

  private static void inState(World world, Claim.Builder row, ClaimState state) {
    if (state != row.getState()) {
      row.setState(state).setStateSince(world.now());
    }
    if (state.compareTo(ClaimState.TAKEN) < 0) {
      row.setGranted(false);
    }
    if (state.compareTo(ClaimState.TAKEN) <= 0) {
      row.setEndedAt(null).setEndCause(EndCause.NONE);
    }
  }
}
