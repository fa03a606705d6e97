package dev.berth.ops.record;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.EnqueueCall;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.Policy;
import dev.berth.records.RegisterVolume;
import dev.berth.records.SecretsFound;
import dev.berth.records.StuckClaim;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.command.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What happened in the time of a recording, in order. */
final class Story {
  private final Concern concern;
  private final Calls calls;
  private final Instant zero;
  private final Secrets secrets;
  private final Set<String> allocs;
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<Item> items = new ArrayList<>();
  private final VolumeTable table = new VolumeTable();
  private final Map<String, Command> commands = new HashMap<>();
  private final Map<String, Map<String, Integer>> statements = new HashMap<>();
  private final Map<String, Map<String, List<String>>> listed = new HashMap<>();
  private final Map<String, Step> lastTold = new HashMap<>();
  private Instant lastInput;

  /**
   * Of nothing yet.
   *
   * @param zero the time at which the scenario begins
   * @param allocs those that ask for a volume somewhere in the file
   * @param setup the steps before it
   */
  Story(
      Concern concern,
      Calls calls,
      Instant zero,
      Secrets secrets,
      Set<String> allocs,
      List<Step> setup) {
    this.concern = concern;
    this.calls = calls;
    this.zero = zero;
    this.secrets = secrets;
    this.allocs = allocs;
    lastInput = zero;
    setup.forEach(this::isNews);
  }

  /** When the last of it happened. */
  Instant end() {
    return items.isEmpty() ? zero : items.get(items.size() - 1).at();
  }

  /** Whether nodes and instances are not as they were told before: workers repeat what is so. */
  private boolean isNews(Step step) {
    String what =
        step.kind()
            + " "
            + step.fields().get("id")
            + " "
            + step.fields().get("node")
            + " "
            + step.fields().get("role");
    return !step.equals(lastTold.put(what, step));
  }

  List<Item> items() {
    return items;
  }

  /** What cannot be told, for people. */
  Set<String> notes() {
    return notes;
  }

  /** Takes the next record. */
  void tell(Kept kept) {
    switch (kept.topic()) {
      case ALLOC_EVENTS -> {
        if (kept.value() instanceof AllocEvent event && concern.isOurs(event)) {
          statement(kept.at(), event);
        }
      }
      case COMMANDS -> {
        if (kept.value() instanceof Command command && Setup.isWanted(command, concern)) {
          command(kept.at(), command);
        }
      }
      case COMMAND_RESULTS -> {
        if (kept.value() instanceof CommandResult result) {
          result(kept.at(), result);
        }
      }
      case NODES -> {
        if (concern.isNode(kept.key())) {
          StepTexts.node(kept.key(), (dev.berth.records.Node) kept.value())
              .filter(this::isNews)
              .ifPresent(step -> input(kept.at(), step));
        }
      }
      case PLUGINS -> {
        if (concern.isInstance(kept)) {
          Step step = StepTexts.instance(kept.key(), (PluginInstance) kept.value());
          if (isNews(step)) {
            input(kept.at(), step);
          }
        }
      }
      case POLICIES -> policy(kept);
      default -> tellOfWork(kept);
    }
  }

  private void tellOfWork(Kept kept) {
    Instant at = kept.at();
    if (kept.value() instanceof Acceptance acceptance) {
      items.addAll(calls.of(acceptance, at));
    } else if (kept.value() instanceof Outcome outcome) {
      outcome(at, outcome);
    } else if (kept.value() instanceof ClaimDecision decision && concern.isOurs(decision)) {
      table.apply(decision);
      items.add(new Item.Decided(at, decision));
    } else if (kept.value() instanceof ClaimReply reply) {
      if (concern.volumes().contains(reply.getNamespace() + "/" + reply.getVolume())) {
        items.add(new Item.Replied(at, reply));
      }
    } else if (kept.value() instanceof StuckClaim letter) {
      if (concern.volumes().contains(letter.getNamespace() + "/" + letter.getVolume())) {
        items.add(new Item.Dead(at, letter));
      }
    } else if (kept.value() instanceof LaneRequest request && concern.isOurs(request)) {
      if (request.getBody() instanceof EnqueueCall) {
        items.add(new Item.Queued(at, request.getRequestId()));
      }
    } else if (kept.value() instanceof SecretsFound found && concern.isPlugin(found.getPlugin())) {
      input(at, secrets.found(found.getReferences()));
    } else if (kept.value() instanceof PluginListing page && concern.isPlugin(page.getPlugin())) {
      listing(at, page);
    }
  }

  // ---- inputs

  /** One or more steps of one record. */
  void input(Instant at, List<Step> steps) {
    if (!steps.isEmpty()) {
      items.add(new Item.Input(at, steps));
      lastInput = at;
    }
  }

  private void input(Instant at, Step step) {
    input(at, List.of(step));
  }

  private void statement(Instant at, AllocEvent event) {
    String alloc = event.getAlloc();
    if (!allocs.contains(alloc)) {
      notes.add("statements about alloc " + alloc + " are left out: it asks for nothing here");
    } else if (isFirstOfItsKind(event)) {
      long present = table.generation(event.getNamespace() + "/" + event.getVolume(), alloc);
      input(at, StepTexts.statement(event, present));
    }
  }

  /** A step about an alloc reaches all its volumes, so it is told for the first of them only. */
  private boolean isFirstOfItsKind(AllocEvent event) {
    if (event.getBody() instanceof AllocStatusChanged || event.getBody() instanceof AllocGone) {
      Map<String, Integer> told =
          statements.computeIfAbsent(
              event.getScheduler()
                  + "/"
                  + event.getAlloc()
                  + "/"
                  + event.getIndex()
                  + event.getBody(),
              unused -> new HashMap<>());
      int most = told.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      return told.merge(event.getNamespace() + "/" + event.getVolume(), 1, Integer::sum) > most;
    }
    return true;
  }

  private void command(Instant at, Command command) {
    if (command.getBody() instanceof RegisterVolume register) {
      commands.put(command.getCommandId(), command);
      List<Step> steps = new ArrayList<>();
      steps.add(StepTexts.volume(register.getSpec()));
      steps.addAll(secrets.needed(register.getSpec()));
      input(at, steps);
    } else {
      Optional<Step> step = StepTexts.command(command);
      step.ifPresent(
          told -> {
            commands.put(command.getCommandId(), command);
            input(at, told);
          });
    }
  }

  private void result(Instant at, CommandResult result) {
    Command command = commands.get(result.getCommandId());
    if (command == null) {
      return;
    }
    boolean refused = result.getOutcome() == CommandOutcome.REFUSED;
    boolean known = !refused || result.getCode().flatMap(Refusal::of).isPresent();
    items.add(
        new Item.Result(
            at,
            refused ? Map.of("refused", result.getCode().orElse("")) : "ok",
            known && (refused || !(command.getBody() instanceof RegisterVolume))));
  }

  private void policy(Kept kept) {
    boolean ours =
        (kept.key().startsWith("plugin/")
                && concern.isPlugin(kept.key().substring("plugin/".length())))
            || (kept.key().startsWith("volume/")
                && concern.volumes().contains(kept.key().substring("volume/".length())));
    if (ours) {
      StepTexts.policy(kept.key(), (Policy) kept.value()).ifPresent(step -> input(kept.at(), step));
    } else if (kept.key().equals(Setup.DEFAULT_POLICY)) {
      notes.add("the policies for everything were changed at " + kept.at() + ": not replayed");
    }
  }

  private void outcome(Instant at, Outcome outcome) {
    List<String> missed = calls.missedSecrets(outcome);
    List<Step> gone = secrets.missed(missed);
    if (!gone.isEmpty()) {
      beforeLastInput(gone);
    }
    Calls.unsaid(outcome).ifPresent(notes::add);
    for (Item item : calls.of(outcome, at, lastInput)) {
      items.add(item);
      if (item instanceof Item.Input) {
        lastInput = at;
      }
    }
  }

  /** Before whatever led to a call, but after the last call that went out. */
  private void beforeLastInput(List<Step> steps) {
    int i = items.size();
    while (i > 0
        && !(items.get(i - 1) instanceof Item.Input)
        && !(items.get(i - 1) instanceof Item.Started)) {
      i--;
    }
    boolean input = i > 0 && items.get(i - 1) instanceof Item.Input;
    int position = input ? i - 1 : i;
    Instant at = i > 0 ? items.get(i - 1).at() : zero;
    items.add(position, new Item.Input(at, steps));
  }

  /** Pages of one snapshot are one step, at the last of them. */
  private void listing(Instant at, PluginListing page) {
    Map<String, List<String>> entries =
        listed.computeIfAbsent(page.getSnapshotId(), unused -> new LinkedHashMap<>());
    page.getVolumes().stream()
        .filter(volume -> concern.externals().contains(volume.getExternalVolume()))
        .forEach(volume -> entries.put(volume.getExternalVolume(), volume.getPublishedNodes()));
    Duration taken = Duration.between(zero, page.getBeganAt());
    if ((page.getComplete() || page.getAbandoned()) && !taken.isNegative()) {
      input(
          at,
          Step.of("listing")
              .with("plugin", page.getPlugin())
              .with("taken-at", taken)
              .with("entries", entries)
              .unless(true, "complete", page.getComplete()));
    }
  }

  /** The allocs that ask for one of the volumes. */
  static Set<String> asking(List<Kept> records, Concern concern) {
    Set<String> asking = new HashSet<>();
    for (Kept kept : records) {
      if (kept.topic() == Topic.ALLOC_EVENTS
          && kept.value() instanceof AllocEvent event
          && concern.isOurs(event)
          && event.getBody() instanceof ClaimRequested) {
        asking.add(event.getAlloc());
      }
    }
    return asking;
  }
}
