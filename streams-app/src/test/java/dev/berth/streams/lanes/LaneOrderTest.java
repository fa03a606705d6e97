package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneOrderTest {
  private final LanesWorld world = new LanesWorld();

  @Test
  void oneControllerCallOfAPluginIsOpenAtATime() {
    String first = world.attach("v1", "n1");
    world.attach("v2", "n2");
    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");

    world.ok(first);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-2 @n1");
  }

  @Test
  void anotherPluginHasLanesOfItsOwn() {
    world.controller("gce", "n3", true);
    world.attach("v1", "n1");
    world.enqueue("gce", LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "g1", "n1"), true);

    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1", "CP ext-g1 i-1 @n3");
  }

  @Test
  void callsStartInTheOrderOfArrivalAndARetryJoinsAtTheEnd() {
    List<String> ids = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      ids.add(world.attach("v" + i, "n1"));
    }
    world.answer(ids.get(0), RpcCode.UNAVAILABLE);
    world.advance(Duration.ofSeconds(1));
    for (int i = 1; i < 5; i++) {
      world.ok(ids.get(i));
    }

    assertThat(world.calls())
        .containsExactly(
            "CP ext-v1 i-1 @n1",
            "CP ext-v2 i-1 @n1",
            "CP ext-v3 i-1 @n1",
            "CP ext-v4 i-1 @n1",
            "CP ext-v5 i-1 @n1",
            "CP ext-v1 i-1 @n1");
  }

  @Test
  void anAttachGoesAfterAtMostOneMoreDetachOfABurst() {
    List<String> detaches = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      detaches.add(world.detach("d" + i, "n1"));
    }
    String attach = world.attach("a1", "n2");
    world.ok(detaches.get(0));
    world.ok(attach);
    world.ok(detaches.get(1));

    assertThat(world.calls())
        .containsExactly(
            "CU ext-d1 i-1 @n1", "CP ext-a1 i-2 @n1", "CU ext-d2 i-1 @n1", "CU ext-d3 i-1 @n1");
  }

  @Test
  void attachesAndDetachesShareTheLaneByWeight() {
    world.policy("weights.attach", "2");
    List<String> open = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      open.add(world.attach("a" + i, "n1"));
    }
    for (int i = 1; i <= 3; i++) {
      open.add(world.detach("d" + i, "n1"));
    }
    List<String> order = new ArrayList<>(world.calls());
    while (order.size() < 9) {
      String now = open.stream().filter(this::isOpen).findFirst().orElseThrow();
      world.ok(now);
      open.remove(now);
      order.addAll(world.calls());
    }

    assertThat(order.stream().map(call -> call.substring(0, 9)))
        .containsExactly(
            "CP ext-a1",
            "CP ext-a2",
            "CU ext-d1",
            "CP ext-a3",
            "CP ext-a4",
            "CU ext-d2",
            "CP ext-a5",
            "CP ext-a6",
            "CU ext-d3");
  }

  @Test
  void aLanePerNodeServesOtherNodesMeanwhile() {
    world.policy("lane", "node");
    world.attach("v1", "n1");
    world.attach("v2", "n1");
    world.attach("v3", "n2");

    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1", "CP ext-v3 i-2 @n1");
  }

  @Test
  void aLanePerVolumeLetsTwoVolumesOfANodeOverlapButNotOneVolume() {
    world.policy("lane", "volume");
    world.attach("v1", "n1");
    world.attach("v2", "n1");
    world.attach("v1", "n2");

    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1", "CP ext-v2 i-1 @n1");
  }

  @Test
  void aLanePerVolumeAndNodeLetsOneVolumeGoToTwoNodesAtOnce() {
    world.policy("lane", "volume-node");
    world.attach("v1", "n1");
    world.attach("v1", "n2");
    world.detach("v1", "n1");

    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1", "CP ext-v1 i-2 @n1");
  }

  @Test
  void nodeCallsOfOneVolumeOnANodeRunOneByOneAndThoseOfAnotherBesideThem() {
    String first = world.onNode(CsiCall.NODE_PUBLISH, "v1", "n2");
    world.onNode(CsiCall.NODE_PUBLISH, "v1", "n2");
    world.onNode(CsiCall.NODE_PUBLISH, "v2", "n2");
    world.onNode(CsiCall.NODE_PUBLISH, "v1", "n3");
    world.attach("v1", "n1");
    assertThat(world.calls())
        .containsExactly("NP ext-v1 @n2", "NP ext-v2 @n2", "NP ext-v1 @n3", "CP ext-v1 i-1 @n1");

    world.ok(first);
    assertThat(world.calls()).containsExactly("NP ext-v1 @n2");
  }

  @Test
  void afterFiveFailuresInARowTheCallsForANodeLetOthersGoFirst() {
    List<String> sick = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      sick.add(world.attach("s" + i, "n1"));
    }
    String well = world.attach("h1", "n2");
    for (int i = 0; i < 4; i++) {
      world.answer(sick.get(i), RpcCode.UNAVAILABLE);
    }
    assertThat(world.calls()).last().isEqualTo("CP ext-s5 i-1 @n1");

    world.answer(sick.get(4), RpcCode.UNAVAILABLE);
    assertThat(world.calls()).containsExactly("CP ext-h1 i-2 @n1");

    world.ok(well);
    assertThat(world.calls()).containsExactly("CP ext-s6 i-1 @n1");
  }

  @Test
  void oneCallForASickNodeGoesFirstPerBackoffInterval() {
    List<String> sick = new ArrayList<>();
    List<String> well = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      sick.add(world.attach("s" + i, "n1"));
    }
    for (int i = 1; i <= 4; i++) {
      well.add(world.attach("h" + i, "n2"));
    }
    sick.subList(0, 5).forEach(call -> world.answer(call, RpcCode.UNAVAILABLE));
    world.calls();

    world.advance(Duration.ofMillis(1100));
    world.ok(well.get(0));
    assertThat(world.calls()).containsExactly("CP ext-s6 i-1 @n1");
    world.answer(sick.get(5), RpcCode.UNAVAILABLE);
    assertThat(world.calls()).containsExactly("CP ext-h2 i-2 @n1");
    world.ok(well.get(1));
    assertThat(world.calls()).containsExactly("CP ext-h3 i-2 @n1");
  }

  @Test
  void aTrialThatNeverReachedThePluginWasATrialAllTheSame() {
    List<String> sick = new ArrayList<>();
    List<String> well = new ArrayList<>();
    for (int i = 1; i <= 8; i++) {
      sick.add(world.attach("s" + i, "n1"));
    }
    for (int i = 1; i <= 3; i++) {
      well.add(world.attach("h" + i, "n2"));
    }
    sick.subList(0, 5).forEach(call -> world.answer(call, RpcCode.UNAVAILABLE));
    world.advance(Duration.ofMillis(1100));
    world.ok(well.get(0));
    assertThat(world.calls()).last().isEqualTo("CP ext-s6 i-1 @n1");
    for (int i = 0; i < 2; i++) {
      world.unanswered(sick.get(5), CallFate.UNREACHED, NotSentReason.NONE, RpcCode.UNAVAILABLE);
    }

    assertThat(world.calls()).last().isEqualTo("CP ext-h2 i-2 @n2");
  }

  @Test
  void aSickNodesAttachesAlsoYieldToDetachesWhoseTurnItIsNot() {
    world.policy("weights.attach", "100");
    List<String> sick = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      sick.add(world.attach("s" + i, "n1"));
    }
    world.detach("d1", "n2");
    sick.subList(0, 5).forEach(call -> world.answer(call, RpcCode.UNAVAILABLE));

    assertThat(world.calls()).last().isEqualTo("CU ext-d1 i-2 @n1");
  }

  @Test
  void inALaneWithoutATurnWhatCameFirstGoesFirst() {
    world.command(new Command.PausePlugin(LanesWorld.EBS));
    world.detach("d1", "n1");
    world.attach("a1", "n1");
    world.command(new Command.ResumePlugin(LanesWorld.EBS));

    assertThat(world.calls()).containsExactly("CU ext-d1 i-1 @n1");
  }

  @Test
  void aSuccessClosesTheBreaker() {
    List<String> sick = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      sick.add(world.attach("s" + i, "n1"));
    }
    sick.subList(0, 5).forEach(call -> world.answer(call, RpcCode.UNAVAILABLE));
    world.ok(sick.get(5));
    world.attach("h1", "n2");
    world.calls();

    world.ok(sick.get(6));
    assertThat(world.calls()).containsExactly("CP ext-h1 i-2 @n1");
    assertThat(world.state().scan(LaneTables.BREAKERS, "")).isEmpty();
  }

  @Test
  void aWiderLaneStartsOnlyWhenNoCallOfTheNarrowerOnesIsOpen() {
    world.policy("lane", "volume");
    String first = world.attach("v1", "n1");
    String second = world.attach("v2", "n1");
    world.attach("v2", "n2");
    world.calls();

    world.policy("lane", "plugin");
    world.attach("v3", "n1");
    world.ok(first);
    assertThat(world.calls()).isEmpty();

    world.ok(second);
    assertThat(world.calls()).containsExactly("CP ext-v2 i-2 @n1");
  }

  @Test
  void aLaneThatWasLeftTakesNothingFromTheNarrowerOnes() {
    String first = world.attach("v1", "n1");
    world.attach("v2", "n1");
    world.attach("v3", "n2");
    world.calls();

    world.policy("lane", "node");
    world.ok(first);

    assertThat(
            world.state().scan(LaneTables.ATTEMPTS, "").stream()
                .map(entry -> entry.value().work().lane()))
        .containsExactly("ebs/controller/node/i-1", "ebs/controller/node/i-2");
  }

  @Test
  void eachPluginHasItsOwnLaneScope() {
    world.controller("gce", "n3", true);
    world.policy("plugin/gce", "lane", "node");
    world.calls();
    for (String node : List.of("n1", "n2")) {
      world.attach("v1", node);
      world.enqueue("gce", LanesWorld.call(CsiCall.CONTROLLER_PUBLISH, "g1", node), true);
    }

    assertThat(world.calls())
        .containsExactly("CP ext-v1 i-1 @n1", "CP ext-g1 i-1 @n3", "CP ext-g1 i-2 @n3");
  }

  @Test
  void aVolumePolicyDoesNotBendTheLaneItShares() {
    world.policy("volume/default/v2", "lane", "volume");
    world.attach("v1", "n1");
    world.attach("v2", "n1");

    assertThat(world.calls()).containsExactly("CP ext-v1 i-1 @n1");
  }

  private boolean isOpen(String request) {
    return !world.settled(request) && world.row(request).place() instanceof Place.Open;
  }
}
