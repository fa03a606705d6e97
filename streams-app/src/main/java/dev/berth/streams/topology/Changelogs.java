package dev.berth.streams.topology;

import dev.berth.records.ClusterRow;
import dev.berth.records.LanesRow;
import dev.berth.records.VolumeClaimsRow;
import dev.berth.schemas.registry.Registry;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * The changelogs of the stores. Kafka Streams makes their topics, so the catalogue knows nothing of
 * them, but their rows are in the registry like every other record: an old version's state is read
 * by its schema.
 */
public final class Changelogs {
  private Changelogs() {}

  /**
   * The schema of the rows of every store, by the subject of its changelog.
   *
   * @param applicationId the {@code application.id} of Kafka Streams, with which it names them
   */
  public static Map<String, Schema> subjects(String applicationId) {
    Map<String, Schema> subjects = new LinkedHashMap<>();
    subjects.put(
        subject(applicationId, VolumeClaimsProcessor.NAME), VolumeClaimsRow.getClassSchema());
    subjects.put(subject(applicationId, LanesProcessor.NAME), LanesRow.getClassSchema());
    subjects.put(subject(applicationId, ClusterProcessor.NAME), ClusterRow.getClassSchema());
    return subjects;
  }

  /** The name of the topic is fixed by Kafka Streams. */
  private static String subject(String applicationId, String store) {
    return Registry.valueSubject(applicationId + "-" + store + "-changelog");
  }
}
