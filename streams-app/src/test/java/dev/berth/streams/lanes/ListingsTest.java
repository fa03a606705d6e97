package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ListingsTest {
  private final LanesWorld world = new LanesWorld();
  private int snapshots;

  @BeforeEach
  void aVolumeOfAPluginThatListsWhereItIsPublished() {
    lists(true);
    world.request("default/v1#0", LanesWorld.EBS, new LaneRequest.ReserveExternalId("ext-v1"));
    world.effects();
  }

  private void lists(boolean published) {
    world.instance(
        new InstanceView(
            LanesWorld.EBS,
            "n1",
            PluginRole.CONTROLLER,
            true,
            "",
            "pool",
            "unix:///ebs-n1",
            true,
            true,
            published,
            false,
            null,
            null));
  }

  /** Another minute, and a complete listing of one page. */
  private Instant list(Map<String, List<String>> volumes) {
    world.advance(Duration.ofMinutes(1));
    page("s" + ++snapshots, 0, volumes, true, false);
    return world.now();
  }

  private void page(
      String snapshot,
      int number,
      Map<String, List<String>> volumes,
      boolean complete,
      boolean abandoned) {
    world.decide(
        new LanesEvent.ListingArrived(
            LanesWorld.EBS,
            snapshot,
            world.now(),
            number,
            new ListedPage(volumes),
            complete,
            abandoned));
  }

  /** What the claims of volumes were told since the last look. */
  private List<String> told() {
    return world.effects().stream()
        .filter(LanesEffect.Settle.class::isInstance)
        .map(effect -> ((LanesEffect.Settle) effect).settlement())
        .filter(settlement -> settlement.body() instanceof Settlement.Listed)
        .map(
            settlement ->
                settlement.volumeKey() + " " + text((Settlement.Listed) settlement.body()))
        .toList();
  }

  private static String text(Settlement.Listed listed) {
    boolean equal = listed.inBoth().equals(listed.inEither());
    String both = equal ? "" : ", both " + listed.inBoth();
    return listed.inEither() + both + " since " + listed.since();
  }

  private List<String> findings() {
    return world.effects().stream()
        .filter(LanesEffect.Drifted.class::isInstance)
        .map(effect -> ((LanesEffect.Drifted) effect).drift().kind().name())
        .toList();
  }

  @Test
  void aVolumeIsToldOnceWhenTwoListingsInARowAgree() {
    Instant first = list(Map.of("ext-v1", List.of("i-2", "i-1", "")));
    List<String> afterOne = told();
    list(Map.of("ext-v1", List.of("i-1", "i-2")));
    List<String> afterTwo = told();
    list(Map.of("ext-v1", List.of("i-1", "i-2")));

    assertThat(afterOne).isEmpty();
    assertThat(afterTwo).containsExactly("default/v1 [i-1, i-2] since " + first);
    assertThat(told()).isEmpty();
  }

  @Test
  void listingsThatDifferTellWhatTheyHaveInCommon() {
    Instant first = list(Map.of("ext-v1", List.of("i-1", "i-2")));
    Instant second = list(Map.of("ext-v1", List.of("i-2", "i-3")));
    List<String> afterTwo = told();
    list(Map.of("ext-v1", List.of("i-2", "i-3")));

    assertThat(afterTwo).containsExactly("default/v1 [i-1, i-2, i-3], both [i-2] since " + first);
    assertThat(told()).containsExactly("default/v1 [i-2, i-3] since " + second);
  }

  @Test
  void aListingThatBeganBeforeTheOneBeforeItTellsNothing() {
    list(Map.of("ext-v1", List.of("i-1")));
    page("late", 0, Map.of("ext-v1", List.of()), true, false);

    assertThat(told()).isEmpty();
  }

  @Test
  void aListingThatBeganBeforeTheLastCallEndedCountsForNothing() {
    list(Map.of("ext-v1", List.of()));
    String attach = world.attach("v1", "n1");
    list(Map.of("ext-v1", List.of()));
    world.ok(attach);
    Instant began = world.now();
    page("late", 0, Map.of("ext-v1", List.of()), true, false);
    List<String> late = told();

    Instant first = list(Map.of("ext-v1", List.of("i-1")));
    list(Map.of("ext-v1", List.of("i-1")));

    assertThat(began).isBefore(first);
    assertThat(late).isEmpty();
    assertThat(told()).containsExactly("default/v1 [i-1] since " + first);
  }

  @Test
  void aCallThatOnlyWaitsOutdatesNothing() {
    world.nodeInstance(LanesWorld.EBS, "n3", null, null);
    Instant first = list(Map.of("ext-v1", List.of("i-1")));
    String attach =
        world.enqueue(
            LanesWorld.EBS, LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "v1", "n3", null), false);
    Settlement.Held held = world.held(attach);
    list(Map.of("ext-v1", List.of("i-1")));

    assertThat(held.hold().code()).isEqualTo(HoldCode.MISSING_EXTERNAL_NODE_ID);
    assertThat(told()).containsExactly("default/v1 [i-1] since " + first);
  }

  @Test
  void pagesCountTogetherWhenTheLastHasCome() {
    for (int i = 1; i <= 2; i++) {
      world.advance(Duration.ofMinutes(1));
      page("s" + i, 0, Map.of("ext-v1", List.of("i-1")), false, false);
      page("s" + i, 0, Map.of("ext-v1", List.of("i-7")), false, false);
      page("s" + i, 1, Map.of("ext-v2", List.of("i-2")), false, false);
      assertThat(told()).isEmpty();
      page("s" + i, 2, Map.of("ext-v1", List.of("i-3")), true, false);
    }

    assertThat(told())
        .containsExactly("default/v1 [i-1, i-3] since " + world.now().minusSeconds(60));
    assertThat(world.state().scan(LaneTables.LISTED_PAGES, "")).isEmpty();
  }

  @Test
  void aListingWithoutItsEndProvesNothingAndIsReportedOnce() {
    list(Map.of("ext-v1", List.of("i-1")));
    page("cut", 0, Map.of("ext-v1", List.of("i-1")), false, false);
    page("cut", 1, Map.of(), false, true);
    List<String> cut = findings();
    page("gap", 1, Map.of("ext-v1", List.of("i-1")), true, false);
    page("died", 0, Map.of("ext-v1", List.of("i-1")), false, false);
    List<String> more = findings();
    list(Map.of("ext-v1", List.of("i-1")));
    assertThat(told()).hasSize(1);
    page("again", 0, Map.of(), false, true);

    assertThat(cut).containsExactly("INCOMPLETE");
    assertThat(more).isEmpty();
    assertThat(findings()).containsExactly("INCOMPLETE");
  }

  @Test
  void aPluginThatDoesNotPromisePublishedNodesIsNotListenedTo() {
    lists(false);
    list(Map.of("ext-v1", List.of("i-9")));
    list(Map.of("ext-v1", List.of("i-9")));

    assertThat(told()).isEmpty();
    assertThat(world.state().scan(LaneTables.SNAPSHOTS, "")).isEmpty();
  }

  @Test
  void whatIsNotRegisteredOrNotListedIsNotConcludedFrom() {
    list(Map.of("other", List.of("i-9")));
    list(Map.of("other", List.of("i-9")));

    assertThat(told()).isEmpty();
    assertThat(world.state().scan(LaneTables.LISTED, "")).isEmpty();
  }
}
