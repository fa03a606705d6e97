package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.history.PastReader;
import dev.berth.ops.history.VolumePast;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.VolumeScreen;
import dev.berth.producers.Connection;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.query.VolumeAnswer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth history}. */
@Command(
    name = "history",
    description = {
      "Shows the claim table of a volume as it was at a time.",
      "Rebuilt from the topics: the decisions of claim-history up to that time, and rows",
      "that are older than what is left of it. Needs no running instance. Exits 1 when",
      "the time is before what is left, when nothing was there, or when a row that was",
      "there is no longer known; it is named then."
    },
    footer = {
      "",
      "Examples:",
      "  berth history prod/db --at 2026-03-01T03:10:00Z --config berth.properties",
      "  berth history prod/db --at 2h30m -o json \\",
      "      --bootstrap-servers localhost:9092 --registry http://localhost:8081"
    })
final class HistoryCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Option(
      names = "--at",
      required = true,
      paramLabel = "TIME",
      description = "The time: " + PointInTime.FORM + ".")
  private String at = "";

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;
  private final Clock clock;

  HistoryCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Instant moment = moment();
    VolumeName name = Objects.requireNonNull(volume);
    VolumeKey key = new VolumeKey(name.namespace(), name.id());
    Connection connection = options.connection();
    VolumePast past;
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      past = PastReader.read(connection, key, progress::step);
    }
    if (!past.reaches(moment)) {
      return fail(
          "the history goes back to %s only: claim-history keeps no decision from before"
              .formatted(past.oldest().map(Instant::toString).orElse("now")));
    }
    VolumePast.Tables tables = past.at(moment);
    Optional<GetVolumeResponse> answer = VolumeAnswer.of(tables.state(), key, moment);
    if (answer.isPresent()) {
      print(answer.get(), moment, tables.unknown());
    }
    tables
        .unknown()
        .forEach(
            row ->
                terminal
                    .err()
                    .println(
                        "berth: not in this table: %s, which was there; its row of that time is no"
                                .formatted(row)
                            + " longer on the topics"));
    if (answer.isEmpty() && tables.unknown().isEmpty()) {
      return fail(
          "volume %s was not registered at %s, and no claim was on it".formatted(key, moment));
    }
    return tables.unknown().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(GetVolumeResponse answer, Instant moment, List<String> unknown) {
    output.print(
        terminal,
        () -> document(answer, moment, unknown),
        () ->
            Stream.concat(
                    Stream.of("At " + moment),
                    VolumeScreen.past(answer, new Moments(moment)).stream())
                .toList());
  }

  private static ObjectNode document(
      GetVolumeResponse answer, Instant moment, List<String> unknown) {
    ObjectNode document = JsonOutput.mapper().createObjectNode();
    document.put("at", moment.toString());
    document.setAll(MessageJson.of(answer));
    // What no table of that time tells.
    document.remove(List.of("freshness", "slots"));
    if (document.get("volume") instanceof ObjectNode volume) {
      volume.remove(List.of("schedulable", "unschedulable"));
    }
    ArrayNode rows = document.putArray("unknown");
    unknown.forEach(rows::add);
    return document;
  }

  private Instant moment() {
    Instant moment;
    try {
      moment = PointInTime.parse(at, clock);
    } catch (IllegalArgumentException e) {
      throw options.usage("--at: " + e.getMessage());
    }
    if (moment.isAfter(clock.instant())) {
      throw options.usage("--at: " + moment + " is yet to come; see berth volume status for now");
    }
    return moment;
  }

  private int fail(String why) {
    terminal.err().println("berth: " + why);
    return ExitCode.FAILED;
  }
}
