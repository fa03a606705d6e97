package dev.berth.ops.scenario;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocGone;
import dev.berth.records.AllocMemory;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Command;
import dev.berth.records.Happening;
import dev.berth.records.LaneRequest;
import dev.berth.records.LaneStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeView;
import dev.berth.records.Outcome;
import dev.berth.records.RegisterVolume;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.records.StateChange;
import dev.berth.records.StuckClaim;
import dev.berth.records.TimerFired;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Volume;
import dev.berth.records.Work;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;

/** What records say, in a line. What the key tells, and when it was written, is left out. */
final class RecordText {
  private RecordText() {}

  static String of(Seen record) {
    if (record.bytes() == null) {
      return "(removed)";
    }
    IndexedRecord value = record.value();
    if (value == null) {
      return "(bytes that are no record)";
    }
    // Requests are numbered by volume; whose they are, the key says.
    return record.key().isEmpty() ? text(value) : text(value).replace(record.key() + "#", "#");
  }

  private static String text(IndexedRecord record) {
    if (record instanceof AllocEvent event) {
      return "%s %s (index %d)".formatted(event.getAlloc(), said(event), event.getIndex());
    } else if (record instanceof Command command) {
      return asked(command);
    } else if (record instanceof ClaimDecision decision) {
      return decision(decision);
    } else if (record instanceof ClaimReply reply) {
      return Words.of(reply.getOutcome())
          + reply.getCode().map(code -> ": " + Words.of(code)).orElse("")
          + CallText.because(reply.getMessage());
    } else if (record instanceof StuckClaim stuck) {
      return stuck.getResolved()
          ? "resolved: " + stuck.getResolution().orElse("")
          : CallText.of(stuck.getHold());
    } else if (record instanceof Signal signal) {
      return signal(signal);
    } else if (record instanceof LaneStatus status) {
      return text(status);
    }
    return call(record);
  }

  /** A status that shows an attempt and counts none is that of one that waits. */
  private static String text(LaneStatus status) {
    return status.getInFlight() == 0 && !status.getOpen().isEmpty()
        ? "attempt %s waits for a worker"
            .formatted(status.getOpen().get(0).getWork().getAttemptId())
        : "queued %d, held %d, in flight %d%s"
            .formatted(
                status.getQueued(),
                status.getHeld(),
                status.getInFlight(),
                status.getPaused() ? ", paused" : "");
  }

  private static String call(IndexedRecord record) {
    if (record instanceof LaneRequest request) {
      return CallText.of(request);
    } else if (record instanceof Settlement settlement) {
      return CallText.of(settlement);
    } else if (record instanceof Work work) {
      return CallText.of(work);
    } else if (record instanceof Acceptance acceptance) {
      return CallText.of(acceptance);
    } else if (record instanceof Outcome outcome) {
      return CallText.of(outcome);
    }
    return row(record);
  }

  // ---- what came

  private static String said(AllocEvent event) {
    Object body = event.getBody();
    if (body instanceof ClaimRequested claim) {
      return "claims it on %s: %s, %s"
          .formatted(claim.getNode(), Words.of(claim.getMode()), Words.of(claim.getAccess()));
    } else if (body instanceof AllocStatusChanged status) {
      return "is %s, wanted: %s"
          .formatted(Words.of(status.getClient()), Words.of(status.getDesired()));
    } else if (body instanceof UnmountFailed failed) {
      return "could not unmount" + CallText.because(failed.getError());
    }
    return body instanceof AllocGone ? "is gone" : "has unmounted";
  }

  private static String asked(Command command) {
    String what =
        command.getBody() instanceof RegisterVolume register
            ? "register as %s of %s"
                .formatted(register.getSpec().getExternalId(), register.getSpec().getPlugin())
            : Brief.of((IndexedRecord) command.getBody());
    return what + ", by " + command.getBy();
  }

  private static String signal(Signal signal) {
    return signal.getBody() instanceof NodeView node
        ? "node %s is %s%s"
            .formatted(
                node.getNode(),
                Words.of(node.getStatus()),
                node.getFence().map(fence -> ", fenced by " + fence.getBy()).orElse(""))
        : Brief.of((IndexedRecord) signal.getBody());
  }

  // ---- decisions

  private static String decision(ClaimDecision decision) {
    String volume = decision.getNamespace() + "/" + decision.getVolume();
    String followed =
        Stream.concat(
                decision.getHappenings().stream().map(RecordText::happening),
                decision.getChanges().stream().map(change -> change(change, volume)))
            .collect(Collectors.joining("; "));
    return "on "
        + madeOf(decision.getEvent())
        + ": "
        + (followed.isEmpty() ? "nothing follows" : followed);
  }

  private static String madeOf(Object event) {
    if (event instanceof AllocEvent said) {
      return said.getAlloc() + " " + said(said);
    } else if (event instanceof TimerFired timer) {
      return "timer " + timer.getReason();
    }
    return text((IndexedRecord) event);
  }

  private static String happening(Happening it) {
    return it.getName()
        + it.getAlloc().map(alloc -> " " + alloc).orElse("")
        + it.getNode().map(node -> " on " + node).orElse("")
        + it.getCode().map(code -> " (" + code + ")").orElse("");
  }

  private static String change(StateChange change, String volume) {
    String key = change.getKey().replace(volume + "/", "").replace(volume, "");
    String row = change.getTable() + (key.isEmpty() ? "" : " " + key);
    Object value = change.getValue().orElse(null);
    return value instanceof IndexedRecord written
        ? "put " + row + " = " + row(written)
        : "remove " + row;
  }

  // ---- rows

  private static String row(IndexedRecord record) {
    if (record instanceof Claim claim) {
      return "%s, generation %d on %s%s%s%s"
          .formatted(
              Words.of(claim.getState()),
              claim.getGeneration(),
              claim.getNode(),
              claim.getRequest().map(request -> ", asked " + request).orElse(""),
              claim.getHold().map(hold -> ", " + CallText.of(hold)).orElse(""),
              claim.getReported() ? ", stuck" : "");
    } else if (record instanceof Attachment attachment) {
      return "%s%s, generation %d%s"
          .formatted(
              Words.of(attachment.getState()),
              attachment.getExternalNode().map(node -> " " + node).orElse(""),
              attachment.getGeneration(),
              attachment.getRequest().map(request -> ", asked " + request).orElse(""));
    } else if (record instanceof Volume volume) {
      return Words.of(volume.getState())
          + volume.getAccess().map(mode -> ", used as " + Words.of(mode)).orElse("");
    } else if (record instanceof Node node) {
      return Words.of(node.getStatus()) + (node.getEligible() ? "" : ", not eligible");
    } else if (record instanceof AllocMemory memory) {
      return Words.of(memory.getFate());
    }
    return Brief.of(record);
  }
}
