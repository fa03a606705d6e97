package dev.berth.ops.explore;

import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.command.VolumeSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What must hold of a simulated world after every step: the standing invariants of scenario files,
 * and what the deciders promise of their tables.
 */
final class Rules {
  private final Sim sim;
  private final Deciders deciders;
  private final Verdicts verdicts;

  /** What the rules look at; the volume is empty for the lanes. */
  private record Looked(String volume, Rows rows, List<Provider.Attached> attached) {}

  /** What was found of what was looked at: it is found again when it comes again. */
  static final class Verdicts {
    private final Remembered<Looked, List<String>> found = new Remembered<>();
  }

  Rules(Sim sim, Deciders deciders, Verdicts verdicts) {
    this.sim = sim;
    this.deciders = deciders;
    this.verdicts = verdicts;
  }

  /** Looks at everything. */
  void check() {
    List<Provider.Attached> attached = sim.provider().attached();
    for (VolumeSpec volume : sim.setup().volumes()) {
      Rows rows = sim.streams().claims(volume.volume());
      List<Provider.Attached> own =
          attached.stream().filter(one -> one.volume().equals(volume.externalId())).toList();
      Looked looked = new Looked(volume.volume(), rows, own);
      verdicts.found.get(looked, fresh -> ofVolume(volume, fresh)).forEach(sim::breaks);
    }
    List<Provider.Attached> inSlots = sim.setup().slots() == null ? List.of() : attached;
    verdicts
        .found
        .get(new Looked("", sim.streams().lanes(), inSlots), this::ofLanes)
        .forEach(sim::breaks);
  }

  private List<String> ofVolume(VolumeSpec volume, Looked looked) {
    List<String> broken = new ArrayList<>();
    new VolumeRules(sim.setup(), volume, looked.rows(), looked.attached(), broken::add).check();
    return broken;
  }

  private List<String> ofLanes(Looked looked) {
    List<String> broken = new ArrayList<>();
    LaneRules.check(looked.rows(), broken::add);
    if (sim.setup().slots() != null) {
      LaneRules.slotsAreKept(sim.setup(), looked.rows(), looked.attached(), broken::add);
    }
    return broken;
  }

  /** Looks at one decision about a volume. */
  void decided(Rows before, ClaimsEvent event) {
    Rows after = sim.streams().claims(event.key().volume());
    if (event instanceof ClaimsEvent.Stated) {
      changesNothing(after, event, "heard again");
    }
    if (!sim.prompt() && !after.equals(before)) {
      Deciders.Decided<ClaimsEffect> look =
          changesNothing(
              after, new ClaimsEvent.Look(event.key(), "test", false), "a look after " + event);
      if (!look.effects().isEmpty()) {
        sim.breaks("a look after " + event + " causes " + look.effects());
      }
    }
  }

  private Deciders.Decided<ClaimsEffect> changesNothing(Rows rows, ClaimsEvent event, String what) {
    Deciders.Decided<ClaimsEffect> decided =
        deciders.claims(
            rows,
            sim.streams().volumesView(),
            event,
            sim.streams().now(),
            sim.streams().policies());
    if (!decided.after().equals(rows)) {
      sim.breaks(what + ": " + event + " changes rows");
    }
    return decided;
  }
}
