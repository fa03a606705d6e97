package dev.berth.ops.explore;

import dev.berth.records.ClaimMode;
import dev.berth.streams.command.Command;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Steps, alphabets and bounds in words, for people. */
final class Words {
  private Words() {}

  /** A step. */
  static String of(Step step) {
    if (step instanceof Step.Claim claim) {
      return "claim %s by %s on %s (%s)"
          .formatted(
              claim.volume(),
              claim.alloc(),
              claim.node(),
              claim.mode() == ClaimMode.WRITE ? "write" : "read");
    } else if (step instanceof Step.Status status) {
      return status.alloc() + " is " + symbol(status.status());
    } else if (step instanceof Step.Gone gone) {
      return gone.alloc() + " is gone";
    } else if (step instanceof Step.Unmounted unmounted) {
      return unmounted.volume() + " unmounted by " + unmounted.alloc();
    } else if (step instanceof Step.UnmountFailed failed) {
      return failed.volume() + " not unmounted by " + failed.alloc();
    } else if (step instanceof Step.Node node) {
      return node.node() + " is " + symbol(node.status());
    } else if (step instanceof Step.Controller controller) {
      return "controller of %s on %s is %s"
          .formatted(
              controller.plugin(),
              controller.node(),
              controller.healthy() ? "healthy" : "unhealthy");
    } else if (step instanceof Step.NodePlugin plugin) {
      return "node plugin of %s on %s %s its id"
          .formatted(plugin.plugin(), plugin.node(), plugin.tellsId() ? "tells" : "does not know");
    } else if (step instanceof Step.Operator operator) {
      return "operator: " + command(operator.body());
    } else if (step instanceof Step.Answer answer) {
      return answer.rpc() + " ends " + answer.ending();
    } else if (step instanceof Step.Time time) {
      return duration(time.passes()) + " pass";
    } else if (step instanceof Step.RestartStreams) {
      return "streams restart";
    } else if (step instanceof Step.LateReport) {
      return "a late report arrives";
    } else if (step instanceof Step.Repeated repeated) {
      return "a statement comes again, " + repeated.back() + " before the last";
    } else if (step instanceof Step.Delivery delivery) {
      return "delivery: " + symbol(delivery.way()) + " " + delivery.which();
    }
    return step.toString();
  }

  private static String command(Command.Body body) {
    if (body instanceof Command.DetachVolume detach) {
      return "detach " + detach.volume() + " from " + detach.node();
    } else if (body instanceof Command.AssumeDetached assume) {
      return "assume " + assume.volume() + " detached from " + assume.node();
    } else if (body instanceof Command.RetryVolume retry) {
      return "retry " + retry.volume();
    } else if (body instanceof Command.UnblockVolume unblock) {
      return "unblock " + unblock.volume();
    } else if (body instanceof Command.RegisterVolume register) {
      return "register " + register.volume();
    } else if (body instanceof Command.DeregisterVolume deregister) {
      return (deregister.force() ? "force " : "") + "deregister " + deregister.volume();
    } else if (body instanceof Command.FenceNode fence) {
      return "fence " + fence.node();
    } else if (body instanceof Command.UnfenceNode unfence) {
      return "unfence " + unfence.node();
    } else if (body instanceof Command.PausePlugin pause) {
      return "pause " + pause.plugin();
    } else if (body instanceof Command.ResumePlugin resume) {
      return "resume " + resume.plugin();
    }
    return "gc";
  }

  /** A name of an enum as scenario files write it. */
  static String symbol(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A duration as scenario files write it. */
  static String duration(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    return duration.toSeconds() % 60 == 0 && !duration.isZero()
        ? duration.toMinutes() + "m"
        : duration.toSeconds() + "s";
  }

  /** What can happen in a world. */
  static List<String> alphabet(Alphabet alphabet) {
    return List.of(
        "claims: "
            + alphabet.claims().stream()
                .map(claim -> claim.alloc() + " on " + claim.node())
                .collect(Collectors.joining(", "))
            + "; again while a row leaves",
        "allocs: complete; gone; unmounted; not unmounted; every statement is heard twice",
        "nodes: " + symbols(alphabet.nodes().stream()) + "; made anew as another machine",
        "controller: healthy, unhealthy",
        "operators: detach, assume-detached, retry, unblock, fence, unfence, pause, resume, gc",
        "controller calls end: " + names(alphabet.endings().stream()),
        "node calls end: " + names(alphabet.nodeEndings().stream()),
        "late reports arrive; the application restarts",
        duration(alphabet.tick()) + " pass, and what is due happens");
  }

  private static String symbols(Stream<? extends Enum<?>> symbols) {
    return symbols.map(Words::symbol).collect(Collectors.joining(", "));
  }

  private static String names(Stream<? extends Enum<?>> names) {
    return names.map(Enum::name).collect(Collectors.joining(", "));
  }

  /** What a search saturates or leaves out. */
  static List<String> bound(Alphabet alphabet) {
    return List.of(
        "records are handed over at once, in the order of their topics, before the next step",
        "time moves by " + duration(alphabet.tick()) + "; ages count up to what a rule asks for",
        "ids, generations, indexes, positions and attempt numbers are given anew in each state",
        "attempts count up to 2, failures to 1, unclear answers to 3; no breaker opens",
        "at most " + alphabet.late() + " report is stuck at a time; ready timeouts do not run out",
        "a plugin does nothing after its caller's deadline (lanes/DESIGN.md, \"One open call\")");
  }
}
