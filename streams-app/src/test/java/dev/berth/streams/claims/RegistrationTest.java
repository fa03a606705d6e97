package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.SINGLE_NODE_WRITER;
import static dev.berth.streams.claims.Ask.owner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.VolumeState;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A registration")
class RegistrationTest {
  private final Volumes fresh = Volumes.f0("v1");
  private final Volumes vA = Volumes.f0("vA");

  @Test
  @DisplayName("waits until the external id is known to be the volume's own")
  void pending() {
    fresh.lanes.silent();

    fresh.command(register("v1", "ebs", "vol-1"));

    assertThat(fresh.requests()).containsExactly("reserve ebs vol-1");
    assertThat(fresh.answers()).isEmpty();
    assertThat(fresh.volume().orElseThrow().state()).isEqualTo(VolumeState.PENDING);
  }

  @Test
  @DisplayName("takes no claim before it holds")
  void noClaimWhilePending() {
    fresh.lanes.silent();
    fresh.command(register("v1", "ebs", "vol-1"));

    fresh.claim(owner("a1", "n1"));

    assertThat(fresh.replies()).containsExactly("a1 rejected not-found");
  }

  @Test
  @DisplayName("holds and is answered when the external id is reserved")
  void reserved() {
    fresh.command(register("v1", "ebs", "vol-1"));

    assertThat(fresh.answers()).containsExactly("ok");
    assertThat(fresh.volume())
        .contains(
            new Volume(
                World.spec("v1", "ebs", "vol-1", SINGLE_NODE_WRITER),
                VolumeState.REGISTERED,
                new Volume.Origin("c1", "ops", "because"),
                null,
                null,
                World.START,
                null,
                null));
  }

  @Test
  @DisplayName("of an external id that another volume has is refused and leaves nothing")
  void taken() {
    fresh.lanes.silent();
    fresh.command(register("v1", "ebs", "vol-1"));

    answer(fresh, 1, new Settlement.ExternalIdTaken("vol-1", "blue/v1"));

    assertThat(fresh.answers()).containsExactly("external-id-taken");
    assertThat(fresh.volume()).isEmpty();
  }

  @Test
  @DisplayName("that cannot be carried out is refused with the field")
  void invalid() {
    VolumeSpec none = World.spec("v1", "ebs", "vol-1");

    fresh.command(new Command.RegisterVolume(none));

    assertThat(fresh.answers()).containsExactly("invalid");
    assertThat(fresh.volume()).isEmpty();
  }

  @Test
  @DisplayName(
      "is refused with a secret that is no reference, and its value stays out of the answer")
  void plainSecret() {
    VolumeSpec plain = withSecrets(Map.of("a", "${file:/run/a}", "b", "hunter2 ${env:x}"));

    fresh.command(new Command.RegisterVolume(plain));

    assertThat(fresh.taken(ClaimsEffect.Answered.class))
        .extracting(it -> it.answer().message())
        .containsExactly(
            "secrets.b is not a reference: never give the secret itself; write ${provider:…}, for"
                + " example ${dir:/run/secrets:x}");
    assertThat(fresh.volume()).isEmpty();
  }

  @Test
  @DisplayName("of the same provider volume is replaced also while it is in use")
  void replacedInUse() {
    vA.grant(owner("a1", "n1"));
    Volume before = vA.volume().orElseThrow();
    VolumeSpec more =
        World.spec("vA", "ebs", "vol-a", SINGLE_NODE_WRITER, AccessMode.MULTI_NODE_READER);

    vA.command(new Command.RegisterVolume(more));

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.volume())
        .contains(before.registered(more, new Volume.Origin("c1", "ops", "because")));
  }

  @Test
  @DisplayName("of another provider volume is refused while rows exist")
  void otherVolumeInUse() {
    vA.grant(owner("a1", "n1"));
    Volume before = vA.volume().orElseThrow();

    vA.command(register("vA", "ebs", "vol-z"));

    assertThat(vA.answers()).containsExactly("in-use");
    assertThat(vA.volume()).contains(before);
  }

  @Test
  @DisplayName(
      "of another provider volume replaces that of an unused one, whose external id is given back")
  void otherVolume() {
    vA.command(register("vA", "gce", "disk-a"));

    assertThat(vA.requests()).containsExactly("reserve gce disk-a", "release ebs vol-a");
    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.volume().orElseThrow().spec())
        .isEqualTo(World.spec("vA", "gce", "disk-a", SINGLE_NODE_WRITER));
  }

  @Test
  @DisplayName("of another provider volume that is taken leaves the volume as it was")
  void otherVolumeTaken() {
    Volume before = vA.volume().orElseThrow();
    vA.lanes.silent();
    vA.command(register("vA", "gce", "disk-a"));

    answer(vA, 1, new Settlement.ExternalIdTaken("disk-a", "blue/v1"));

    assertThat(vA.answers()).containsExactly("external-id-taken");
    assertThat(vA.volume()).contains(before);
  }

  @Test
  @DisplayName("of another provider volume is refused when the volume was claimed meanwhile")
  void claimedMeanwhile() {
    vA.lanes.silent();
    vA.command(register("vA", "gce", "disk-a"));
    vA.claim(owner("a1", "n1"));
    vA.drain();

    answer(vA, 1, new Settlement.ExternalIdReserved("disk-a"));

    assertThat(vA.answers()).containsExactly("in-use");
    assertThat(vA.requests()).containsExactly("release gce disk-a");
    assertThat(vA.volume().orElseThrow().spec().externalId()).isEqualTo("vol-a");
  }

  @Test
  @DisplayName("is refused while another is being decided, and so is its end")
  void beingDecided() {
    vA.lanes.silent();
    vA.command(register("vA", "gce", "disk-a"));

    vA.command(register("vA", "gce", "disk-b"));
    vA.command(new Command.DeregisterVolume("default", "vA", true));

    assertThat(vA.answers()).containsExactly("in-use", "in-use");
  }

  @Test
  @DisplayName("is not decided by an answer to an earlier one")
  void lateAnswer() {
    fresh.lanes.silent();
    fresh.command(register("v1", "ebs", "vol-1"));
    answer(fresh, 1, new Settlement.ExternalIdTaken("vol-1", "blue/v1"));
    fresh.command(register("v1", "ebs", "vol-1"));
    fresh.drain();

    answer(fresh, 1, new Settlement.ExternalIdReserved("vol-1"));

    assertThat(fresh.answers()).isEmpty();
    assertThat(fresh.volume().orElseThrow().state()).isEqualTo(VolumeState.PENDING);
  }

  @Test
  @DisplayName("ends at once when nothing uses the volume, and gives the external id back")
  void deregistered() {
    vA.command(deregister(false));

    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.requests()).containsExactly("release ebs vol-a");
    assertThat(vA.volume()).isEmpty();
  }

  @Test
  @DisplayName("that is not there has no end")
  void unknown() {
    fresh.command(new Command.DeregisterVolume("default", "v1", true));

    assertThat(fresh.answers()).containsExactly("not-found");
  }

  @Test
  @DisplayName("does not end in use, by force only when no alloc is live")
  void deregisterRules() {
    vA.grant(owner("a1", "n2"));
    vA.command(deregister(false));
    vA.command(deregister(true));
    vA.ends("a1");
    vA.command(deregister(false));
    List<String> refused = vA.answers();

    vA.command(deregister(true));
    vA.claim(owner("a2", "n3"));

    assertThat(refused).containsExactly("in-use", "in-use", "in-use");
    assertThat(vA.answers()).containsExactly("ok");
    assertThat(vA.replies()).containsExactly("a2 rejected not-found");
    assertThat(vA.table()).containsExactly("a1 n2 write unpublishing");
  }

  @Test
  @DisplayName("that is ending cannot be made anew before the last row is gone")
  void registerWhileEnding() {
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.command(deregister(true));
    vA.drain();

    vA.command(register("vA", "ebs", "vol-a"));

    assertThat(vA.answers()).containsExactly("in-use");
  }

  @Test
  @DisplayName("is made anew in the numbers of the old one, so that none is given twice")
  void numbersGoOn() {
    vA.grant(owner("a1", "n2"));
    long generation = vA.row("a1").generation();
    vA.unmounted("a1");
    vA.answerAll();
    vA.command(deregister(false));
    vA.command(register("vA", "ebs", "vol-a"));

    vA.claim(owner("a2", "n2"));

    assertThat(vA.row("a2").generation()).isGreaterThan(generation);
  }

  private static Command.Body register(String volume, String plugin, String external) {
    return new Command.RegisterVolume(World.spec(volume, plugin, external, SINGLE_NODE_WRITER));
  }

  private static VolumeSpec withSecrets(Map<String, String> secrets) {
    VolumeSpec spec = World.spec("v1", "ebs", "vol-1", SINGLE_NODE_WRITER);
    return new VolumeSpec(
        spec.namespace(),
        spec.volume(),
        spec.plugin(),
        spec.externalId(),
        spec.capabilities(),
        secrets,
        spec.context(),
        spec.parameters(),
        spec.fsType(),
        spec.mountFlags(),
        spec.topologies());
  }

  @Test
  @DisplayName("with more than CSI lets a call carry, or a plugin that cannot be, is refused")
  void outsideCsi() {
    VolumeSpec spec = World.spec("v1", "ebs", "vol-1", SINGLE_NODE_WRITER);
    String large = "ü".repeat(2_049);
    Map<String, String> none = Map.of();

    assertThat(
            List.of(
                problem(spec, "ebs", Map.of("k", large), none, "ext4", List.of()),
                problem(spec, "ebs", none, Map.of("k", "${f:" + large + "}"), "ext4", List.of()),
                problem(spec, "ebs", none, none, "ext4", List.of(large)),
                problem(spec, "ebs", none, none, "x".repeat(129), List.of()),
                problem(spec, "e\nbs", none, none, "ext4", List.of())))
        .containsExactly(
            "context has 4099 bytes: CSI allows 4096",
            "secrets has 4104 bytes: CSI allows 4096",
            "mountFlags has 4098 bytes: CSI allows 4096",
            "fsType has 129 bytes: CSI allows 128",
            "plugin is no id that an instance could be reported under: use at most 256 characters"
                + " and no control characters");
  }

  @Test
  @DisplayName("may have an id as long as the longest that drivers give, and no longer")
  void longId() {
    assertThat(SpecCheck.problem(World.spec("v1", "ebs", "x".repeat(1_024), SINGLE_NODE_WRITER)))
        .isNull();
    assertThat(SpecCheck.problem(World.spec("v1", "ebs", "x".repeat(1_025), SINGLE_NODE_WRITER)))
        .endsWith(
            "' is longer than 1024 bytes: give the id that the plugin answered when the volume was"
                + " made");
  }

  private static String problem(
      VolumeSpec like,
      String plugin,
      Map<String, String> context,
      Map<String, String> secrets,
      String fsType,
      List<String> mountFlags) {
    return String.valueOf(
        SpecCheck.problem(
            new VolumeSpec(
                like.namespace(),
                like.volume(),
                plugin,
                like.externalId(),
                like.capabilities(),
                secrets,
                context,
                like.parameters(),
                fsType,
                mountFlags,
                like.topologies())));
  }

  private static Command.Body deregister(boolean force) {
    return new Command.DeregisterVolume("default", "vA", force);
  }

  private static void answer(Volumes volume, int request, Settlement.Body body) {
    volume.decide(
        new ClaimsEvent.Settled(
            volume.key(),
            new Settlement(
                volume.key() + "#" + request,
                volume.key().toString(),
                "",
                null,
                World.START,
                body)));
  }
}
