package dev.berth.ops.scenario;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AssumeDetached;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.CollectGarbage;
import dev.berth.records.Command;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DesiredStatus;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.JobType;
import dev.berth.records.ListedVolume;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PausePlugin;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Unmounted;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns steps into records, as schedulers, workers and operators write them. */
final class Inputs {
  static final String SCHEDULER = "scenario";

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final World world;
  private final Map<String, Set<String>> volumesByAlloc;
  private final Map<String, Long> indexes = new HashMap<>();
  private int commands;

  Inputs(World world, Scenario scenario) {
    this.world = world;
    volumesByAlloc = scenario.volumesByAlloc();
  }

  /** Carries out an input step; what follows from it may still be on its way. */
  void apply(Scenario.Step step) {
    switch (step.kind()) {
      case "volume" -> volume(step.body().asFields());
      case "volume-gone" -> volumeGone(step.body().asFields());
      case "node" -> node(step.body().asFields());
      case "plugin" -> plugin(step.body().asFields());
      case "policy" -> Settings.narrower(world, step.body().asFields());
      case "claim" -> claim(step.body().asFields());
      case "alloc" -> alloc(step.body().asFields());
      case "alloc-gone" -> allocGone(step.body().asFields());
      case "unmounted" -> unmounted(step.body().asFields());
      case "unmount-failed" -> unmountFailed(step.body().asFields());
      case "command" -> command(step.body().asFields());
      case "listing" -> listing(step.body().asFields());
      case "secret" -> secret(step.body().asFields());
      case "row" -> Rows.edit(world, step.body().asFields());
      case "raw" -> raw(step.body().asFields());
      case "advance" -> advance(step.body());
      case "restart" -> restart(step.body());
      case "rebalance" -> world.rebalance(step.body().asFields().text("plugin"));
      case "answer" -> answer(step.body().asFields());
      case "script" -> world.script(step.body().asFields());
      default -> throw step.place().problem("unknown step '" + step.kind() + "'");
    }
  }

  // ---- volumes

  private void volume(Value.Fields f) {
    List<Capability> capabilities = new ArrayList<>();
    for (Value item : f.get("capabilities").asItems()) {
      Value.Fields pair = item.asFields();
      capabilities.add(
          new Capability(
              Words.symbol(AccessMode.class, pair.text("access")),
              Words.symbol(AttachmentMode.class, pair.text("attachment", "file-system"))));
    }
    Map<String, String> secrets = new LinkedHashMap<>();
    f.find("secrets")
        .ifPresent(
            all ->
                all.asFields()
                    .fields()
                    .forEach(
                        (name, ref) -> secrets.put(name, world.secretReference(ref.asText()))));
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace(f.text("namespace", "default"))
            .setVolume(f.text("id"))
            .setPlugin(f.text("plugin"))
            .setExternalId(f.text("external"))
            .setCapabilities(capabilities)
            .setSecrets(secrets)
            .setParameters(f.find("parameters").map(Value::asTexts).orElse(Map.of()))
            .setTopologies(
                f.find("topologies").map(Value::asItems).orElse(List.of()).stream()
                    .map(Value::asTexts)
                    .toList())
            .build();
    send(spec.getNamespace() + "/" + spec.getVolume(), new RegisterVolume(spec), "scenario", "");
  }

  private void volumeGone(Value.Fields f) {
    String namespace = f.text("namespace", "default");
    send(
        namespace + "/" + f.text("id"),
        new DeregisterVolume(namespace, f.text("id"), f.flag("force", false)),
        "scenario",
        "");
  }

  // ---- the cluster

  private void node(Value.Fields f) {
    NodeStatus status = Words.symbol(NodeStatus.class, f.text("status"));
    world.write(
        Topic.NODES,
        f.text("id"),
        new Node(f.text("id"), scheduler(f), status, f.flag("eligible", true), world.now()));
  }

  private void plugin(Value.Fields f) {
    PluginRole role = Words.symbol(PluginRole.class, f.text("role"));
    PluginInstance instance =
        PluginInstance.newBuilder()
            .setPlugin(f.text("id"))
            .setNode(f.text("node"))
            .setRole(role)
            .setHealth(Words.symbol(PluginHealth.class, f.text("health")))
            .setAttach(f.flag("attach", false))
            .setPublishReadOnly(f.flag("publish-readonly", false))
            .setListPublished(f.flag("list-published", false))
            .setStage(f.flag("stage", false))
            .setExternalNode(f.optional("external-node").orElse(null))
            .setMaxVolumes(f.optional("max-volumes").map(Long::valueOf).orElse(null))
            .setSeenAt(world.now())
            .build();
    String key = f.text("id") + "/" + role.name().toLowerCase(Locale.ROOT) + "@" + f.text("node");
    world.instance(key, instance);
  }

  private void listing(Value.Fields f) {
    List<ListedVolume> volumes = new ArrayList<>();
    f.find("entries")
        .ifPresent(
            all ->
                all.asFields()
                    .fields()
                    .forEach(
                        (external, nodes) ->
                            volumes.add(
                                new ListedVolume(
                                    external,
                                    nodes.asItems().stream().map(Value::asText).toList()))));
    Duration at = Durations.parse(f.get("taken-at"));
    boolean complete = f.flag("complete", true);
    world.write(
        Topic.PLUGIN_LISTINGS,
        f.text("plugin"),
        new PluginListing(
            f.text("plugin"),
            "snapshot-" + at,
            world.begin().plus(at),
            0,
            volumes,
            complete,
            !complete));
  }

  // ---- allocs

  private void claim(Value.Fields f) {
    long index = index(f.text("alloc"), f);
    ClaimRequested claim =
        ClaimRequested.newBuilder()
            .setRequestId(f.text("alloc") + "-" + index)
            .setNode(f.text("node"))
            .setJobType(Words.symbol(JobType.class, f.text("job-type", "service")))
            .setMode(Words.symbol(ClaimMode.class, f.text("mode")))
            .setAccess(Words.symbol(AccessMode.class, f.text("access")))
            .setAttachment(Words.symbol(AttachmentMode.class, f.text("attachment", "file-system")))
            .setBlock(f.optional("block").orElse(null))
            .setStopOnDisconnectMillis(
                f.find("stop-on-disconnect").map(v -> Durations.parse(v).toMillis()).orElse(null))
            .build();
    state(
        scheduler(f),
        f.text("namespace", "default") + "/" + f.text("volume"),
        f.text("alloc"),
        index,
        claim);
  }

  private void alloc(Value.Fields f) {
    long index = index(f.text("id"), f);
    AllocStatusChanged status =
        new AllocStatusChanged(
            Words.symbol(ClientStatus.class, f.text("status")),
            Words.symbol(DesiredStatus.class, f.text("desired", "run")));
    everyVolume(f.text("id"))
        .forEach(volume -> state(scheduler(f), volume, f.text("id"), index, status));
  }

  private void allocGone(Value.Fields f) {
    long index = index(f.text("id"), f);
    AllocGone gone = new AllocGone(f.optional("generation").map(Long::valueOf).orElse(null));
    everyVolume(f.text("id"))
        .forEach(volume -> state(scheduler(f), volume, f.text("id"), index, gone));
  }

  private void unmounted(Value.Fields f) {
    String volume = f.text("namespace", "default") + "/" + f.text("volume");
    state(
        scheduler(f),
        volume,
        f.text("alloc"),
        index(f.text("alloc"), f),
        new Unmounted(generation(volume, f)));
  }

  private void unmountFailed(Value.Fields f) {
    String volume = f.text("namespace", "default") + "/" + f.text("volume");
    state(
        scheduler(f),
        volume,
        f.text("alloc"),
        index(f.text("alloc"), f),
        new UnmountFailed(generation(volume, f), f.text("error", "")));
  }

  private @Nullable Long generation(String volume, Value.Fields f) {
    if (f.find("generation").isPresent()) {
      return Long.valueOf(f.text("generation"));
    }
    Claim claim = world.row(ClaimTables.CLAIMS, volume + "/" + f.text("alloc"));
    return claim == null ? null : claim.generation();
  }

  private Set<String> everyVolume(String alloc) {
    return volumesByAlloc.getOrDefault(alloc, Set.of());
  }

  private long index(String alloc, Value.Fields f) {
    long given = f.optional("index").map(Long::parseLong).orElse(0L);
    long next = given > 0 ? given : indexes.getOrDefault(alloc, 0L) + 1;
    indexes.merge(alloc, next, Math::max);
    return next;
  }

  private static String scheduler(Value.Fields f) {
    return f.text("scheduler", SCHEDULER);
  }

  private void state(String scheduler, String volume, String alloc, long index, Object body) {
    int slash = volume.indexOf('/');
    AllocEvent event =
        AllocEvent.newBuilder()
            .setScheduler(scheduler)
            .setIndex(index)
            .setNamespace(volume.substring(0, slash))
            .setVolume(volume.substring(slash + 1))
            .setAlloc(alloc)
            .setAt(world.now())
            .setBody(body)
            .build();
    world.write(Topic.ALLOC_EVENTS, volume, event);
  }

  // ---- commands

  private void command(Value.Fields f) {
    String by = f.text("by", "operator");
    String reason = f.text("reason", "scenario");
    f.fields()
        .forEach(
            (name, value) -> {
              if (value instanceof Value.Fields body) {
                command(name, body, by, reason);
              }
            });
  }

  private void command(String name, Value.Fields f, String by, String reason) {
    String namespace = f.text("namespace", "default");
    String volume = namespace + "/" + f.text("volume", "");
    switch (name) {
      case "detach" ->
          send(volume, new DetachVolume(namespace, f.text("volume"), f.text("node")), by, reason);
      case "retry" ->
          send(
              volume,
              new RetryVolume(namespace, f.text("volume"), f.optional("alloc").orElse(null)),
              by,
              reason);
      case "assume-detached" ->
          send(volume, new AssumeDetached(namespace, f.text("volume"), f.text("node")), by, reason);
      case "unblock" -> send(volume, new UnblockVolume(namespace, f.text("volume")), by, reason);
      case "fence" -> send(f.text("node"), new FenceNode(f.text("node")), by, reason);
      case "unfence" -> send(f.text("node"), new UnfenceNode(f.text("node")), by, reason);
      case "pause" -> send(f.text("plugin"), new PausePlugin(f.text("plugin")), by, reason);
      case "resume" -> send(f.text("plugin"), new ResumePlugin(f.text("plugin")), by, reason);
      case "gc" -> send("gc", new CollectGarbage(), by, reason);
      default -> throw f.place().problem("'" + name + "' is no command");
    }
  }

  private void send(String key, Object body, String by, String reason) {
    Command command =
        Command.newBuilder()
            .setCommandId("command-" + ++commands)
            .setBy(by)
            .setReason(reason)
            .setAt(world.now())
            .setBody(body)
            .build();
    world.write(Topic.COMMANDS, key, command);
  }

  // ---- the rest

  private void secret(Value.Fields f) {
    world.secret(f.text("ref"), f.flag("gone", false) ? null : f.text("value"));
  }

  private void raw(Value.Fields f) {
    Topic topic =
        Arrays.stream(Topic.values())
            .filter(t -> t.suffix().equals(f.text("topic")))
            .findFirst()
            .orElseThrow();
    String value = f.text("value");
    byte[] bytes =
        value.matches("0x([0-9a-f]{2})+")
            ? HexFormat.of().parseHex(value.substring(2))
            : value.getBytes(StandardCharsets.UTF_8);
    world.writeBytes(topic, f.text("key"), bytes);
  }

  private void restart(Value what) {
    switch (what.asText()) {
      case "streams" -> world.restartStreams();
      case "worker" -> world.crashWorkers();
      case "all" -> {
        world.crashWorkers();
        world.restartStreams();
      }
      default ->
          throw what.place().problem("'" + what.asText() + "': write streams, worker or all");
    }
  }

  private void advance(Value by) {
    if (by instanceof Value.Fields f) {
      Duration left =
          Duration.between(world.now(), world.begin().plus(Durations.parse(f.get("to"))));
      world.advance(left.isNegative() ? Duration.ZERO : left);
    } else {
      world.advance(Durations.parse(by));
    }
  }

  /**
   * The oldest open RPC of a notation, for which the clock moves on by as much as is allowed, and
   * which is waited for as long as what is expected is.
   */
  private @Nullable Rpc open(String notation, Duration within) {
    Instant latest = world.now().plus(within);
    while (true) {
      Rpc rpc = world.open().stream().filter(open -> open.is(notation)).findFirst().orElse(null);
      if (rpc != null) {
        return rpc;
      }
      if (world.now().isBefore(latest)) {
        world.advance(SECOND);
      } else if (!world.waitsForMore()) {
        return null;
      }
    }
  }

  private void answer(Value.Fields f) {
    String notation = f.text("rpc");
    Rpc rpc = open(notation, f.find("within").map(Durations::parse).orElse(Duration.ZERO));
    if (rpc == null) {
      throw new StepImpossible(
          f.get("rpc").place(),
          "answer",
          "an open RPC '" + notation + "'",
          "open are " + world.open().stream().map(Rpc::text).toList());
    }
    world.answer(rpc, PluginAnswer.of(f));
  }
}
