package dev.berth.streams.codec;

import dev.berth.records.ClaimDecision;
import dev.berth.records.Command;
import dev.berth.records.Happening;
import dev.berth.records.RegisterVolume;
import dev.berth.records.StateChange;
import dev.berth.records.TimerFired;
import dev.berth.records.VolumeSpec;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.SecretReferences;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions to the history, and reads their changes back: the tables it names are at any
 * time the fold of them. What is derived from those tables (indexes, wake-ups) or only numbers
 * things is not in it.
 */
public final class DecisionCodec {
  private static final List<Recorded<?>> RECORDED =
      List.of(
          new Recorded<>(ClaimTables.VOLUMES, VolumeCodec.VOLUME),
          new Recorded<>(ClaimTables.CLAIMS, ClaimCodec.CLAIM),
          new Recorded<>(ClaimTables.ATTACHMENTS, AttachmentCodec.ATTACHMENT),
          new Recorded<>(ClaimTables.ALLOC_MEMORY, ClaimStoreCodecs.ALLOC_MEMORY));

  private DecisionCodec() {}

  /** The record of a look that no record caused: its reason stands in for the event. */
  public static TimerFired timer(String reason) {
    return new TimerFired(reason);
  }

  /**
   * The history record of a decision.
   *
   * @param key volume
   * @param event record the decision was made of, as it came: an alloc event, command, signal or
   *     settlement, or {@link #timer}
   * @param now time of the decision
   * @param policyVersion version of the policies it was made under
   * @param decision the decision
   */
  public static ClaimDecision decision(
      VolumeKey key,
      SpecificRecord event,
      Instant now,
      long policyVersion,
      Decision<ClaimsEffect> decision) {
    return ClaimDecision.newBuilder()
        .setNamespace(key.namespace())
        .setVolume(key.volume())
        .setNow(now)
        .setPolicyVersion(policyVersion)
        .setEvent(withoutPlainSecrets(event))
        .setHappenings(happenings(decision.effects()))
        .setChanges(stateChanges(decision.changes()))
        .build();
  }

  /** A registration that is refused for a secret in plain text must not be kept with it. */
  private static SpecificRecord withoutPlainSecrets(SpecificRecord event) {
    if (event instanceof Command command
        && command.getBody() instanceof RegisterVolume register
        && register.getSpec().getSecrets().values().stream()
            .anyMatch(secret -> !SecretReferences.isReference(secret))) {
      VolumeSpec spec =
          VolumeSpec.newBuilder(register.getSpec())
              .setSecrets(SecretReferences.only(register.getSpec().getSecrets()))
              .build();
      return Command.newBuilder(command).setBody(new RegisterVolume(spec)).build();
    }
    return event;
  }

  /** Whether nothing happened and nothing was written that the history tells of. */
  public static boolean isQuiet(ClaimDecision decision) {
    return decision.getHappenings().isEmpty() && decision.getChanges().isEmpty();
  }

  /**
   * The writes that a history record tells of, in order.
   *
   * @throws IllegalArgumentException when it names a table that this version does not know
   */
  public static List<Change> changes(ClaimDecision decision) {
    List<Change> changes = new ArrayList<>();
    for (StateChange change : decision.getChanges()) {
      changes.add(recorded(change.getTable()).change(change));
    }
    return changes;
  }

  private static Recorded<?> recorded(String table) {
    return RECORDED.stream()
        .filter(known -> known.table().name().equals(table))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the history knows no table " + table));
  }

  private static List<Happening> happenings(List<ClaimsEffect> effects) {
    List<Happening> happenings = new ArrayList<>();
    for (ClaimsEffect effect : effects) {
      if (effect instanceof ClaimsEffect.Happened it) {
        happenings.add(new Happening(it.name(), it.alloc(), it.node(), it.code(), it.message()));
      }
    }
    return happenings;
  }

  private static List<StateChange> stateChanges(List<Change> changes) {
    List<StateChange> written = new ArrayList<>();
    for (Change change : changes) {
      RECORDED.stream()
          .filter(known -> known.table().equals(change.table()))
          .forEach(known -> written.add(known.record(change)));
    }
    return written;
  }

  private record Recorded<V>(Table<V> table, Codec<V, ? extends SpecificRecord> codec) {
    StateChange record(Change change) {
      return new StateChange(table.name(), change.key(), value(change));
    }

    private @Nullable SpecificRecord value(Change change) {
      return change instanceof Change.Put<?> put
          ? codec.encode().apply(table.type().cast(put.value()))
          : null;
    }

    Change change(StateChange change) {
      return change
          .getValue()
          .<Change>map(value -> new Change.Put<>(table, change.getKey(), decode(codec, value)))
          .orElseGet(() -> new Change.Remove(table, change.getKey()));
    }

    private static <V, A extends SpecificRecord> V decode(Codec<V, A> codec, Object value) {
      return codec.decode().apply(codec.record().cast(value));
    }
  }
}
