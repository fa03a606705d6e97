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
import dev.berth.records.EnqueueCall;
import dev.berth.records.Happening;
import dev.berth.records.Hold;
import dev.berth.records.LaneRequest;
import dev.berth.records.LaneStatus;
import dev.berth.records.Outcome;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.records.StateChange;
import dev.berth.records.TimerFired;
import dev.berth.records.UnmountFailed;
import dev.berth.records.Volume;
import dev.berth.records.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What records say, in a line. What the key tells, and when it was written, is left out. */
final class RecordText {
  private RecordText() {}

  static String of(Seen record) {
    if (record.bytes() == null) {
      return "(removed)";
    }
    IndexedRecord value = record.value();
    return value == null ? "(bytes that are no record)" : text(value);
  }

  private static String text(IndexedRecord record) {
    if (record instanceof AllocEvent event) {
      return "%s %s (index %d)".formatted(event.getAlloc(), said(event), event.getIndex());
    } else if (record instanceof Command command) {
      return "%s by %s".formatted(brief((IndexedRecord) command.getBody()), command.getBy());
    } else if (record instanceof ClaimDecision decision) {
      return decision(decision);
    } else if (record instanceof ClaimReply reply) {
      return Words.of(reply.getOutcome())
          + reply.getCode().map(code -> " " + Words.of(code)).orElse("")
          + reply.getHold().map(hold -> ", held: " + Words.of(hold)).orElse("")
          + reply.getHeldBy().map(holder -> ", held by " + holder).orElse("")
          + because(reply.getMessage());
    } else if (record instanceof LaneRequest request) {
      return request.getRequestId() + " " + asked(request);
    } else if (record instanceof Settlement settlement) {
      return settlement.getRequestId() + " " + brief((IndexedRecord) settlement.getBody());
    } else if (record instanceof Signal signal) {
      return brief((IndexedRecord) signal.getBody());
    } else if (record instanceof Work work) {
      return work(work);
    } else if (record instanceof Acceptance acceptance) {
      return "%s accepted, %s allowed"
          .formatted(
              acceptance.getAttemptId(),
              seconds(Duration.ofMillis(acceptance.getTimeAllowedMillis())));
    } else if (record instanceof Outcome outcome) {
      return outcome(outcome);
    } else if (record instanceof LaneStatus status) {
      return "queued %d, held %d, in flight %d%s"
          .formatted(
              status.getQueued(),
              status.getHeld(),
              status.getInFlight(),
              status.getPaused() ? ", paused" : "");
    }
    return row(record);
  }

  // ---- events and decisions

  private static String said(AllocEvent event) {
    Object body = event.getBody();
    if (body instanceof ClaimRequested claim) {
      return "claims it on %s: %s, %s"
          .formatted(claim.getNode(), Words.of(claim.getMode()), Words.of(claim.getAccess()));
    } else if (body instanceof AllocStatusChanged status) {
      return "is %s, wanted: %s"
          .formatted(Words.of(status.getClient()), Words.of(status.getDesired()));
    } else if (body instanceof UnmountFailed failed) {
      return "could not unmount" + because(failed.getError());
    }
    return body instanceof AllocGone ? "is gone" : "has unmounted";
  }

  private static String decision(ClaimDecision decision) {
    String happened =
        decision.getHappenings().stream()
            .map(RecordText::happening)
            .collect(Collectors.joining(", "));
    String changes =
        decision.getChanges().stream().map(RecordText::change).collect(Collectors.joining("; "));
    return "on "
        + madeOf(decision.getEvent())
        + ": "
        + (happened.isEmpty() ? "nothing to tell" : happened)
        + (changes.isEmpty() ? "" : "; " + changes);
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

  private static String change(StateChange change) {
    String row = change.getTable() + "/" + change.getKey();
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
              claim.getHold().map(hold -> ", " + hold(hold)).orElse(""),
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
    } else if (record instanceof AllocMemory memory) {
      return Words.of(memory.getFate());
    }
    return brief(record);
  }

  private static String hold(Hold hold) {
    return "held: %s after %d attempts%s"
        .formatted(Words.of(hold.getCode()), hold.getAttempts(), because(hold.getMessage()));
  }

  // ---- calls

  private static String asked(LaneRequest request) {
    return request.getBody() instanceof EnqueueCall enqueue
        ? Rpc.text(enqueue.getCall()) + (enqueue.getTakesSlot() ? ", takes a slot" : "")
        : brief((IndexedRecord) request.getBody());
  }

  private static String work(Work work) {
    String calls =
        work.getCalls().stream()
            .map(call -> Rpc.text(call.getCall()))
            .collect(Collectors.joining(", "));
    return "%s at %s: %s".formatted(work.getAttemptId(), work.getInstanceNode(), calls);
  }

  private static String outcome(Outcome outcome) {
    return "%s %s %s%s"
        .formatted(
            outcome.getRequestId(),
            Words.of(outcome.getFate()),
            switch (outcome.getFate()) {
              case NOT_SENT -> Words.of(outcome.getNotSent());
              default -> outcome.getCode().toString();
            },
            because(outcome.getMessage()));
  }

  private static String because(String message) {
    return message.isEmpty() ? "" : " \"" + message + "\"";
  }

  // ---- anything

  /** A record by its name and those of its fields that say something. */
  static String brief(IndexedRecord record) {
    List<String> fields = new ArrayList<>();
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (says(value)) {
        fields.add(field.name() + " " + brief(value));
      }
    }
    String name = record.getSchema().getName();
    return fields.isEmpty() ? name : name + "{" + String.join(", ", fields) + "}";
  }

  /** Moments are those of a clock that nobody else has. */
  private static boolean says(@Nullable Object value) {
    return value != null
        && !(value instanceof Instant)
        && !value.equals("")
        && !value.equals(false)
        && !value.equals(0)
        && !value.equals(0L)
        && !(value instanceof Collection<?> items && items.isEmpty())
        && !(value instanceof Map<?, ?> map && map.isEmpty());
  }

  private static String brief(@Nullable Object value) {
    if (value instanceof IndexedRecord record) {
      return brief(record);
    } else if (value instanceof Collection<?> items) {
      StringJoiner texts = new StringJoiner(", ", "[", "]");
      items.forEach(item -> texts.add(brief(item)));
      return texts.toString();
    } else if (value instanceof Enum<?> symbol) {
      return Words.of(symbol);
    }
    return String.valueOf(value);
  }

  private static String seconds(Duration duration) {
    return Durations.since(duration).substring(1);
  }
}
