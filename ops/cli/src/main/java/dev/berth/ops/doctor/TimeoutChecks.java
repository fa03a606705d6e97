package dev.berth.ops.doctor;

import dev.berth.streams.app.KafkaSettings;
import dev.berth.workers.kafka.KafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is said of times that must fit each other; from settings, without asking anybody. */
final class TimeoutChecks {
  private static final String MAX_TRANSACTION = "transaction.max.timeout.ms";
  private static final String SWEEP = "transaction.abort.timed.out.transaction.cleanup.interval.ms";
  private static final String MIN_SESSION = "group.min.session.timeout.ms";
  private static final String MAX_SESSION = "group.max.session.timeout.ms";
  private static final String SESSION = "session.timeout.ms";

  /**
   * What is recommended: a killed client's transaction hides what is behind it that much longer.
   */
  private static final Duration LONGEST_SWEEP = Duration.ofSeconds(1);

  /** How long after the time of a call its outcome is waited for. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private TimeoutChecks() {}

  /**
   * Of transactions: what Berth asks for is allowed, and ended soon after its time.
   *
   * @param broker settings of a broker by name
   */
  static List<Check> transactions(Map<String, String> broker) {
    List<Check> checks = new ArrayList<>();
    Duration asked = KafkaSettings.TRANSACTION_TIMEOUT;
    millis(broker, MAX_TRANSACTION)
        .filter(most -> most.compareTo(asked) < 0)
        .ifPresent(
            most ->
                checks.add(
                    Check.wrong(
                        "timeouts",
                        "%s of a broker is %s, and Berth's transactions ask for %s"
                            .formatted(MAX_TRANSACTION, text(most), text(asked)),
                        "set %s=%d or more on the brokers"
                            .formatted(MAX_TRANSACTION, asked.toMillis()))));
    millis(broker, SWEEP)
        .filter(sweep -> sweep.compareTo(LONGEST_SWEEP) > 0)
        .ifPresent(
            sweep ->
                checks.add(
                    Check.warning(
                        "timeouts",
                        "%s of a broker is %s: what a killed process left open hides later records"
                                .formatted(SWEEP, text(sweep))
                            + " for that and %s".formatted(text(asked)),
                        "set %s=%d on the brokers".formatted(SWEEP, LONGEST_SWEEP.toMillis()))));
    return checks;
  }

  /**
   * Of sessions: what workers and the Streams application ask for is allowed, and no instance is
   * replaced before its transactions are over.
   *
   * @param kafka settings for Kafka's clients, as an instance's file has them
   */
  static List<Check> sessions(Map<String, String> broker, Map<String, String> kafka) {
    List<Check> checks = new ArrayList<>();
    Duration worker = KafkaClients.SESSION_TIMEOUT;
    Duration streams =
        Stream.of("main.consumer.", "consumer.", "")
            .flatMap(prefix -> millis(kafka, prefix + SESSION).stream())
            .findFirst()
            .orElse(KafkaSettings.SESSION_TIMEOUT);
    for (Duration asked : List.of(worker, streams)) {
      String whose = asked.equals(worker) ? "workers" : "the Streams application";
      boolean tooShort =
          millis(broker, MIN_SESSION).filter(m -> m.compareTo(asked) > 0).isPresent();
      boolean tooLong = millis(broker, MAX_SESSION).filter(m -> m.compareTo(asked) < 0).isPresent();
      if (tooShort || tooLong) {
        String setting = tooShort ? MIN_SESSION : MAX_SESSION;
        checks.add(
            Check.wrong(
                "timeouts",
                "%s of a broker is %s, and %s ask for %s: they cannot join their group"
                    .formatted(setting, broker.get(setting) + " ms", whose, text(asked)),
                "set %s=%d on the brokers, or another kafka.%s for them"
                    .formatted(setting, asked.toMillis(), SESSION)));
      }
    }
    if (streams.compareTo(KafkaSettings.TRANSACTION_TIMEOUT) < 0) {
      checks.add(
          Check.warning(
              "timeouts",
              "%s is %s, less than the %s of transactions: who takes over waits for those anyway"
                  .formatted(SESSION, text(streams), text(KafkaSettings.TRANSACTION_TIMEOUT)),
              "remove it, or set %d or more"
                  .formatted(KafkaSettings.TRANSACTION_TIMEOUT.toMillis())));
    }
    return checks;
  }

  /**
   * Of calls: work stays on its topic longer than a call can be open.
   *
   * @param call longest {@code rpc-timeout} of all policies
   * @param kept shortest retention of the topics of work by topic; empty for those that keep all
   */
  static List<Check> calls(Duration call, Map<String, Duration> kept) {
    List<Check> checks = new ArrayList<>();
    kept.forEach(
        (topic, retention) -> {
          if (retention.compareTo(call.plus(MARGIN)) <= 0) {
            checks.add(
                Check.wrong(
                    "timeouts",
                    "%s keeps records for %s, and a call may take %s (rpc-timeout): its record can be"
                            .formatted(topic, text(retention), text(call))
                        + " gone while it is open",
                    "berth topics check has the retention that it should have"));
          }
        });
    return checks;
  }

  private static Optional<Duration> millis(Map<String, String> settings, String name) {
    String text = settings.getOrDefault(name, "");
    return text.matches("\\d{1,15}")
        ? Optional.of(Duration.ofMillis(Long.parseLong(text)))
        : Optional.empty();
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
