package dev.berth.streams.metrics;

import dev.berth.records.ClaimState;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.VolumeStatus;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims counted in one look at the tables. Confined to a thread.
 *
 * <p>It walks over every claim, so that what it says is what is there: counts that are kept by what
 * happens would have to be right after each crash and each move of a partition, too.
 */
final class ClaimTally {
  private static final int MOST_PLUGINS = 100;
  private static final int MOST_NAMESPACES = 100;

  private final LabelValues plugins = new LabelValues(MOST_PLUGINS);
  private final LabelValues namespaces = new LabelValues(MOST_NAMESPACES);
  private final Map<Group, Figures> claims = new HashMap<>();
  private final Map<WaitGroup, Figures> waiting = new HashMap<>();
  private final Map<StuckGroup, Long> stuck = new HashMap<>();

  private @Nullable VolumeKey lastVolume;
  private String lastPlugin = "";

  /**
   * Claims that are told together.
   *
   * @param state where they are; one that only reserves its slot waits
   */
  record Group(String state, String plugin, String namespace) {}

  /**
   * What is told of them.
   *
   * @param count how many they are
   * @param oldest since when the first of them is where it is, or waits
   */
  record Figures(long count, Instant oldest) {
    Figures and(Figures other) {
      return new Figures(
          count + other.count, oldest.isBefore(other.oldest) ? oldest : other.oldest);
    }
  }

  /** Claims that are told together of allocs that wait for their volume. */
  record WaitGroup(String plugin, String namespace) {}

  /**
   * Dead letters that are told together.
   *
   * @param code their code, as {@code stuck-claims} has it
   */
  record StuckGroup(String code, String plugin, String namespace) {}

  /**
   * Counts the claims of a partition.
   *
   * @param state the tables of {@link ClaimTables}
   * @param now time of the look
   * @param goesOn asked for each row; ends the look
   */
  void add(State state, Instant now, BooleanSupplier goesOn) {
    state.walk(
        ClaimTables.CLAIMS,
        "",
        "",
        row -> {
          add(state, row.value());
          return goesOn.getAsBoolean();
        });
    state.walk(
        ClaimTables.LISTINGS,
        "",
        "",
        row -> {
          if (row.value().foreign().stream().anyMatch(found -> found.letter() != null)) {
            VolumeStatus.of(state, VolumeKey.parse(row.key()), now)
                .foreignLetters()
                .forEach(
                    letter ->
                        addStuck(
                            Words.of(letter.hold().code()),
                            letter.plugin(),
                            letter.key().namespace()));
          }
          return goesOn.getAsBoolean();
        });
  }

  private void add(State state, Claim claim) {
    String plugin = plugin(state, claim);
    String namespace = claim.key().namespace();
    claims.merge(
        new Group(stateOf(claim), plugins.of(plugin), namespaces.of(namespace)),
        new Figures(1, claim.stateSince()),
        Figures::and);
    if (!claim.granted() && claim.ending() == null) {
      waiting.merge(
          new WaitGroup(plugins.of(plugin), namespaces.of(namespace)),
          new Figures(1, claim.ask().at()),
          Figures::and);
    }
    if (claim.letter() != null) {
      addStuck(Words.of(claim.letter().code()), plugin, namespace);
    }
  }

  private void addStuck(String code, String plugin, String namespace) {
    stuck.merge(new StuckGroup(code, plugins.of(plugin), namespaces.of(namespace)), 1L, Long::sum);
  }

  /** A claim that waits has no terms yet: its plugin is the volume's. */
  private String plugin(State state, Claim claim) {
    if (claim.terms() != null) {
      return claim.terms().plugin();
    }
    if (!claim.key().equals(lastVolume)) {
      Volume volume = state.get(ClaimTables.VOLUMES, claim.key().toString());
      lastVolume = claim.key();
      lastPlugin = volume == null ? "" : volume.spec().plugin();
    }
    return lastPlugin;
  }

  private static String stateOf(Claim claim) {
    return Words.of(claim.state() == ClaimState.RESERVING ? ClaimState.WAITING : claim.state());
  }

  /** What was counted. */
  Map<Group, Figures> claims() {
    return Map.copyOf(claims);
  }

  /** Of allocs that wait for their volume: for others, for a slot, or for the attach. */
  Map<WaitGroup, Figures> waiting() {
    return Map.copyOf(waiting);
  }

  /** Dead letters that are open. */
  Map<StuckGroup, Long> stuck() {
    return Map.copyOf(stuck);
  }
}
