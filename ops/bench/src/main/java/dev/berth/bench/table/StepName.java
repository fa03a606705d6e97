package dev.berth.bench.table;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.Settlement;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import org.apache.avro.specific.SpecificRecord;

/** Which step of a volume's life a record is, and of which volume. */
final class StepName {
  private StepName() {}

  /** A text that begins with the key of the volume; calls follow with their number. */
  static String subject(SpecificRecord record) {
    if (record instanceof AllocEvent event) {
      return Keys.volume(event.getNamespace(), event.getVolume());
    } else if (record instanceof LaneRequest request) {
      return request.getRequestId();
    } else if (record instanceof Settlement settlement) {
      return settlement.getRequestId();
    } else if (record instanceof Acceptance acceptance) {
      return acceptance.getAcceptanceId();
    } else if (record instanceof Outcome outcome) {
      return outcome.getRequestId();
    }
    throw new IllegalArgumentException(record.getSchema().getName() + " is no step of a life");
  }

  /**
   * The step's name, the same for every volume of a kind. Calls are told apart by their number
   * among those of the volume.
   *
   * @param subject what {@link #subject} says
   */
  static String of(TableVolume volume, String subject, Topic source, SpecificRecord record) {
    return volume.kind()
        + " "
        + source
        + " "
        + body(record)
        + subject.substring(volume.key().length());
  }

  private static String body(SpecificRecord record) {
    Object body =
        record instanceof AllocEvent event
            ? event.getBody()
            : record instanceof LaneRequest request
                ? request.getBody()
                : record instanceof Settlement settlement ? settlement.getBody() : record;
    return body.getClass().getSimpleName();
  }
}
