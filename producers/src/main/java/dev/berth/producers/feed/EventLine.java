package dev.berth.producers.feed;

import dev.berth.producers.Alloc;
import dev.berth.producers.ClaimRequest;
import dev.berth.producers.FieldRules;
import dev.berth.producers.IndexSource;
import dev.berth.producers.InvalidEventException;
import dev.berth.producers.LiveAllocs;
import dev.berth.producers.Saying;
import dev.berth.producers.VolumeUse;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.NodeStatus;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of events; {@code FORMAT.md} of this package describes them.
 *
 * @param what what it says
 * @param at when it happened; empty when the line does not tell
 */
record EventLine(What what, Optional<Instant> at) {

  /** What lies outside is a slip, and differences of times within fit any arithmetic. */
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  /** What a line says. */
  sealed interface What {}

  /** Something of an alloc. */
  record OfAlloc(Saying saying) implements What {}

  /**
   * How a node is.
   *
   * @param status empty when it was deleted
   */
  record OfNode(String node, Optional<NodeStatus> status, boolean eligible) implements What {}

  /** The scheduler's complete list of live allocs. */
  record OfAll(LiveAllocs live) implements What {}

  private enum Event {
    CLAIM,
    STATUS,
    UNMOUNTED,
    UNMOUNT_FAILED,
    GONE,
    NODE,
    LIVE
  }

  private enum NodeWord {
    READY,
    DISCONNECTED,
    DOWN,
    GONE
  }

  /**
   * Reads a line.
   *
   * @param indexes who numbers the statements
   * @throws InvalidLineException naming field, value and remedy
   */
  static EventLine of(byte[] line, IndexSource indexes) throws InvalidLineException {
    if (line.length > LineReader.LONGEST) {
      throw new InvalidLineException(
          "has more than %d bytes; shorten it".formatted(LineReader.LONGEST));
    }
    JsonFields fields = JsonFields.of(line);
    try {
      Event event = fields.requiredSymbol("event", Event.class);
      Optional<Instant> at = instant(fields);
      What what =
          switch (event) {
            case NODE -> node(fields);
            case LIVE -> live(fields, at);
            case CLAIM, STATUS, UNMOUNTED, UNMOUNT_FAILED, GONE ->
                new OfAlloc(saying(event, fields));
          };
      fields.done();
      if (event != Event.NODE) {
        requireIndex(fields, indexes);
      }
      return new EventLine(what, at);
    } catch (InvalidEventException e) {
      throw new InvalidLineException(String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireIndex(JsonFields fields, IndexSource indexes)
      throws InvalidLineException {
    boolean given = fields.number("index").isPresent();
    if (given && indexes == IndexSource.CLOCK) {
      throw fields.wrong("index", "is not used: the clock numbers; leave it out, or --own-index");
    }
    if (!given && indexes == IndexSource.CALLER) {
      throw new InvalidLineException("index: is missing; give a whole number, or no --own-index");
    }
  }

  private static Saying saying(Event event, JsonFields fields) throws InvalidLineException {
    return switch (event) {
      case CLAIM -> new Saying.Claims(claim(fields), waiting -> {});
      case STATUS ->
          new Saying.Status(
              alloc(fields, OptionalLong.empty()),
              fields.requiredSymbol("client", ClientStatus.class),
              fields.symbol("desired", DesiredStatus.class).orElse(DesiredStatus.RUN));
      case UNMOUNTED -> new Saying.Unmounted(alloc(fields, fields.number("generation")));
      case UNMOUNT_FAILED ->
          new Saying.UnmountFailed(
              alloc(fields, fields.number("generation")), fields.required("error"));
      case GONE -> new Saying.Gone(alloc(fields, fields.number("generation")));
      case NODE, LIVE -> throw new IllegalArgumentException("says nothing of one alloc");
    };
  }

  private static ClaimRequest claim(JsonFields fields) throws InvalidLineException {
    return new ClaimRequest(
        fields.required("alloc"),
        fields.required("node"),
        fields.text("namespace").orElse("default"),
        fields.required("volume"),
        fields.requiredSymbol("mode", ClaimMode.class),
        fields.requiredSymbol("access", AccessMode.class),
        fields.symbol("attachment", AttachmentMode.class).orElse(AttachmentMode.FILE_SYSTEM),
        fields.text("job"),
        fields.symbol("jobType", JobType.class).orElse(JobType.OTHER),
        fields.text("block"),
        duration(fields),
        fields.number("index"));
  }

  private static Alloc alloc(JsonFields fields, OptionalLong generation)
      throws InvalidLineException {
    VolumeUse use =
        new VolumeUse(
            fields.text("namespace").orElse("default"), fields.required("volume"), generation);
    return new Alloc(fields.required("alloc"), List.of(use), fields.number("index"));
  }

  private static OfAll live(JsonFields fields, Optional<Instant> at) throws InvalidLineException {
    LiveAllocs live = LiveAllocs.of(fields.texts("allocs"));
    OptionalLong index = fields.number("index");
    if (live.ids().isEmpty()) {
      throw fields.wrong("allocs", "would end every claim; say gone of each alloc instead");
    }
    if (at.isEmpty()) {
      throw new InvalidLineException(
          "at: is missing; give the time at which the list was begun: later claims are left alone");
    }
    LiveAllocs then = live.takenAt(at.get());
    return new OfAll(index.isPresent() ? then.at(index.getAsLong()) : then);
  }

  private static OfNode node(JsonFields fields) throws InvalidLineException {
    String node = FieldRules.id("node", fields.required("node"));
    Optional<NodeStatus> status =
        switch (fields.requiredSymbol("status", NodeWord.class)) {
          case READY -> Optional.of(NodeStatus.READY);
          case DISCONNECTED -> Optional.of(NodeStatus.DISCONNECTED);
          case DOWN -> Optional.of(NodeStatus.DOWN);
          case GONE -> Optional.empty();
        };
    return new OfNode(node, status, fields.flag("eligible", true));
  }

  private static Optional<Instant> instant(JsonFields fields) throws InvalidLineException {
    Optional<String> text = fields.text("at");
    try {
      Optional<Instant> at = text.map(Instant::parse);
      if (at.isPresent() && (at.get().isBefore(EARLIEST) || at.get().isAfter(LATEST))) {
        throw fields.wrong("at", "is not within the years 1 to 9999; correct it");
      }
      return at;
    } catch (DateTimeException e) {
      throw fields.wrong("at", "is no time; write it as 2026-01-31T12:00:00Z");
    }
  }

  private static Optional<Duration> duration(JsonFields fields) throws InvalidLineException {
    Optional<String> text = fields.text("stopOnDisconnect");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = DURATION.matcher(text.get());
    if (!matcher.matches()) {
      throw fields.wrong("stopOnDisconnect", "is no duration; write 90s, 5m or 1h");
    }
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }
}
