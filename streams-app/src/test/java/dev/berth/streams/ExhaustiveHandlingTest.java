package dev.berth.streams;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Java 17 has no switch over sealed types that the compiler would hold complete, so their kinds are
 * told apart by chains of {@code instanceof}. This reads the compiled chains: one that asks for
 * some kinds of a sealed type asks for all, or stands here with what it leaves alone. A new kind of
 * event, effect, command or answer so fails this test wherever somebody has to decide about it.
 */
@DisplayName("Every chain over a sealed type")
class ExhaustiveHandlingTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.berth.streams");

  /** Chains that leave kinds alone on purpose, with those kinds. */
  private static final Map<String, String> LEFT_ALONE =
      Map.ofEntries(
          // The last else, or a cast, stands for the one that is left.
          entry("CallStatus.of over Place", "Held"),
          entry("Forecast.untilDone over Place", "Queued"),
          entry("LaneRequestCodec.encode over LaneRequest.Body", "ReleaseSlot"),
          entry("LaneStoreCodecs.encodePlace over Place", "Held"),
          entry("LaneTurns.tryNow over Readiness", "NothingToCall"),
          entry("Retries.enterLane over Readiness", "NothingToCall"),
          entry("SettlementCodec.encode over Settlement.Body", "ExternalIdTaken"),
          // Answers to calls are handed on to the two that tell the others apart.
          entry(
              "Settlements.handle over Settlement.Body",
              "Accepted, Done, Failed, Held, SlotRefused, Withdrawn"),
          entry(
              "Settlements.ofAttachment over Settlement.Body",
              "ExternalIdReserved, ExternalIdTaken, Listed"),
          // Only an attach of the attachment takes a slot.
          entry(
              "Settlements.ofClaim over Settlement.Body",
              "ExternalIdReserved, ExternalIdTaken, Listed"),
          // A detach takes no slot, and the rest is no answer to a call.
          entry(
              "ForeignAttachments.settled over Settlement.Body",
              "Accepted, ExternalIdReserved, ExternalIdTaken, Listed, SlotRefused"),
          // Whatever is neither mere news nor a mere wait may have changed something.
          entry(
              "Settlement.outdatesListings over Settlement.Body",
              "Done, ExternalIdReserved, ExternalIdTaken, Failed, Listed, SlotRefused, Withdrawn"),
          // Claims are asked for elsewhere; a failed unmount of no claim means nothing.
          entry("Statements.remember over ClaimsEvent.Statement", "Asked, UnmountFailed"),
          entry("Statements.tell over ClaimsEvent.Statement", "Asked"),
          // What concerns the view of the cluster, and what only asks for something.
          entry("ClusterCopy.apply over ClusterSignal", "GarbageCollection, PassedCommand"),
          entry(
              "ClusterProcessor.log over ClusterSignal",
              "GarbageCollection, PassedCommand, PluginChanged"),
          // A passed command has been decided before; plugin records come with their instances.
          entry("LanesProcessor.Task.event over ClusterSignal", "PassedCommand"),
          entry(
              "VolumeClaimsProcessor.Task.signal over ClusterSignal",
              "PassedCommand, PluginChanged, PluginRemoved"),
          // Neither is a record: the history has what happened, and a rejection needs its source.
          entry("ClaimsOutput.add over ClaimsEffect", "Happened"),
          entry("ClusterProcessor.Task.records over ClusterEffect", "Rejected"),
          // The log tells what moves a claim or a call on.
          entry("DecisionLog.tell over ClaimsEffect", "Answered, Drifted"),
          entry(
              "DecisionLog.tell over LanesEffect",
              "Answered, Drifted, Dropped, SlotsChanged, StatusChanged"),
          // Times and traces go with calls that are asked for, reported of, and over.
          entry(
              "LaneTimes.begin over LanesEvent",
              "Accepted, ClockSet, Commanded, Due, GcRequested, InstanceChanged, ListingArrived,"
                  + " NodeChanged, OwnerChanged, PluginChanged, PoliciesChanged, SecretsFound"),
          entry(
              "LaneTimes.settled over Settlement.Body",
              "Accepted, ExternalIdReserved, ExternalIdTaken, Held, Listed, SlotRefused"),
          // What an open call has no index for.
          entry("LanesDraft.index over Place", "Open"),
          entry("LanesDraft.unindex over Place", "Open"),
          // An offer that the log no longer has can be redeemed by nobody.
          entry("SessionTable.isOpen over SessionTable.Row", "Orphan"),
          // A held call is in no line and in no run, and so has no place to keep.
          entry("Run.add over Place", "Held"),
          // Commands about volumes go on to the claims as they came.
          entry(
              "CommandRouter.Task.route over Command.Body",
              "AssumeDetached, DeregisterVolume, DetachVolume, RegisterVolume, RetryVolume,"
                  + " UnblockVolume"),
          // Nobody vouches with them for what Berth cannot know.
          entry(
              "CommandCheck.needsReason over Command.Body",
              "CollectGarbage, DeregisterVolume, DetachVolume, PausePlugin, RegisterVolume,"
                  + " ResumePlugin, RetryVolume, UnblockVolume, UnfenceNode"));

  @Test
  @DisplayName("names every kind, but for those that are known to be left alone")
  void complete() {
    Map<String, String> incomplete = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        sealedTypes().forEach(family -> look(unit, family, incomplete));
      }
    }

    assertThat(incomplete).isEqualTo(LEFT_ALONE);
  }

  private static void look(JavaCodeUnit unit, Class<?> family, Map<String, String> incomplete) {
    Set<Class<?>> asked = asked(unit, family);
    boolean aboutLess =
        Arrays.stream(family.getPermittedSubclasses())
            .anyMatch(type -> type.isSealed() && asked(unit, type).equals(asked));
    // One question is not a chain: it asks about that kind and no other.
    if (asked.size() < 2 || aboutLess) {
      return;
    }
    Set<String> left =
        kinds(family)
            .filter(kind -> asked.stream().noneMatch(type -> type.isAssignableFrom(kind)))
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    if (!left.isEmpty()) {
      incomplete.put(
          name(unit.getOwner().reflect()) + "." + unit.getName() + " over " + name(family),
          String.join(", ", left));
    }
  }

  private static Set<Class<?>> asked(JavaCodeUnit unit, Class<?> family) {
    return unit.getInstanceofChecks().stream()
        .map(InstanceofCheck::getRawType)
        .map(JavaClass::reflect)
        .filter(type -> type != family && family.isAssignableFrom(type))
        .collect(Collectors.toSet());
  }

  private static Stream<Class<?>> sealedTypes() {
    return CLASSES.stream().map(JavaClass::reflect).filter(Class::isSealed).map(type -> type);
  }

  /** The records that a sealed type permits, through sealed types in between. */
  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ExhaustiveHandlingTest::kinds)
        : Stream.of(type);
  }

  private static String name(Class<?> type) {
    Class<?> within = type.getEnclosingClass();
    return within == null
        ? type.getSimpleName()
        : within.getSimpleName() + "." + type.getSimpleName();
  }
}
