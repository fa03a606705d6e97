package dev.berth.streams.app;

import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.PolicyCheck;
import dev.berth.streams.policy.PolicyProblem;
import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.security.SecurityConfig;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads {@link AppConfig} from flat settings; whatever it has not asked for is unknown. */
final class AppSettings {
  /** Read by the command that starts the process, which has the log: see AppConfig. */
  static final String LOG_FORMAT = "log.format";

  /** Keys with a fixed name, in the order of the documentation. */
  static final List<String> KEYS =
      List.of(
          "bootstrap.servers",
          "topic.prefix",
          "application.id",
          "state.dir",
          "replication.factor",
          "standby.replicas",
          "threads",
          "group.protocol",
          "health.port",
          LOG_FORMAT,
          "api.listen",
          "api.advertised",
          SecurityConfig.CERTIFICATE,
          SecurityConfig.KEY,
          SecurityConfig.CLIENT_CA,
          SecurityConfig.CA,
          SecurityConfig.TOKENS,
          SecurityConfig.PEER_TOKEN,
          "auto.register.schemas");

  /** Beginnings of keys that are handed on. */
  static final List<String> REGISTRY =
      List.of("schema.registry.", "basic.auth.", "bearer.auth.", "proxy.", "auto.register.schemas");

  static final String KAFKA = "kafka.";
  static final String POLICY = "policy.";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final int MOST_THREADS_BY_DEFAULT = 4;

  private final TreeMap<String, String> left;

  private AppSettings(Map<String, String> settings) {
    this.left = new TreeMap<>(settings);
  }

  static AppConfig read(Map<String, String> settings) {
    AppSettings reader = new AppSettings(settings);
    reader.left.remove(LOG_FORMAT);
    String brokers =
        reader.required("bootstrap.servers", "the brokers, for example 127.0.0.1:9092");
    Topics topics = new Topics(reader.take("topic.prefix").orElse(Topics.DEFAULT_PREFIX));
    AppConfig config =
        new AppConfig(
            brokers,
            RegistryConfig.parse(reader.starting(REGISTRY)),
            topics,
            reader.id("application.id", topics.prefix() + "-streams"),
            reader.directory("state.dir", Path.of("/var/lib/berth/streams")),
            reader.replicationFactor(),
            reader.number("standby.replicas", 0, 10, 1),
            reader.number("threads", 1, 64, cores()),
            reader.groupProtocol(),
            reader.number("health.port", 0, 65_535, 0),
            reader.api(),
            reader.apiSecurity(),
            reader.policies(),
            reader.kafka());
    reader.requireNothingLeft();
    return config;
  }

  private static int cores() {
    return Math.min(MOST_THREADS_BY_DEFAULT, Runtime.getRuntime().availableProcessors());
  }

  private ApiConfig api() {
    return new ApiConfig(
        take("api.listen")
            .map(text -> ApiConfig.Address.parse("api.listen", text))
            .orElse(ApiConfig.DEFAULT.listen()),
        take("api.advertised").map(text -> ApiConfig.Address.parse("api.advertised", text)));
  }

  private SecurityConfig apiSecurity() {
    Map<String, String> given = new TreeMap<>();
    SecurityConfig.KEYS.forEach(key -> take(key).ifPresent(value -> given.put(key, value)));
    return SecurityConfig.parse(given);
  }

  private int replicationFactor() {
    int copies = number("replication.factor", -1, 32_767, -1);
    if (copies == 0) {
      throw new IllegalArgumentException(
          "replication.factor=0: set 1 or more, or -1 for the brokers' default");
    }
    return copies;
  }

  private AppConfig.GroupProtocol groupProtocol() {
    String value = take("group.protocol").orElse("classic");
    return switch (value) {
      case "classic" -> AppConfig.GroupProtocol.CLASSIC;
      case "streams" -> AppConfig.GroupProtocol.STREAMS;
      default ->
          throw new IllegalArgumentException(
              "group.protocol=" + value + ": set classic or streams");
    };
  }

  /** What {@link KafkaSettings} sets for a reason is not to be set in another way. */
  private Map<String, String> kafka() {
    Map<String, String> kafka = new TreeMap<>();
    starting(List.of(KAFKA))
        .forEach((key, value) -> kafka.put(key.substring(KAFKA.length()), value));
    for (String key : kafka.keySet()) {
      KafkaSettings.whyFixed(key)
          .ifPresent(
              why -> {
                throw new IllegalArgumentException(
                    KAFKA + key + " cannot be set: " + why + "; remove it");
              });
    }
    return kafka;
  }

  private Policies policies() {
    Map<String, Map<String, String>> settings = new HashMap<>();
    starting(List.of(POLICY))
        .forEach(
            (key, value) -> {
              String setting = policyKey(key);
              String name = key.substring(POLICY.length(), key.length() - setting.length() - 1);
              settings.computeIfAbsent(name, none -> new HashMap<>()).put(setting, value);
            });
    settings.forEach(AppSettings::requireValid);
    return new Policies(0, settings);
  }

  /** The policy key that a setting ends in. Plugin ids hold dots too, so the name comes first. */
  private static String policyKey(String key) {
    return PolicySettings.all().stream()
        .map(Setting::key)
        .filter(setting -> key.endsWith("." + setting))
        .filter(setting -> key.length() > POLICY.length() + setting.length() + 1)
        .max(Comparator.comparingInt(String::length))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    key
                        + " ends in no policy key: write policy.<name>.<key>, for example"
                        + " policy.default.rpc-timeout"));
  }

  private static void requireValid(String name, Map<String, String> settings) {
    List<PolicyProblem> problems =
        PolicyCheck.problems(new NamedPolicy(name, settings, "", "", Instant.EPOCH));
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(problems.get(0).text());
    }
  }

  private String id(String key, String otherwise) {
    String value = take(key).orElse(otherwise);
    if (!ID.matcher(value).matches()) {
      throw new IllegalArgumentException(
          key + "=" + value + ": take 1 to 100 letters, digits, '.', '_' or '-'");
    }
    return value;
  }

  private Path directory(String key, Path otherwise) {
    Path path = take(key).map(Path::of).orElse(otherwise);
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          key + "=" + path + ": a relative path means another place each time; begin it with /");
    }
    return path;
  }

  private int number(String key, int least, int most, int otherwise) {
    Optional<String> text = take(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers out of range.
    }
    throw new IllegalArgumentException(
        "%s=%s: set a whole number from %d to %d".formatted(key, text.get(), least, most));
  }

  private String required(String key, String remedy) {
    return take(key)
        .orElseThrow(() -> new IllegalArgumentException(key + " is not set: give " + remedy));
  }

  private Optional<String> take(String key) {
    return Optional.ofNullable(left.remove(key)).map(String::strip).filter(v -> !v.isEmpty());
  }

  private Map<String, String> starting(List<String> prefixes) {
    Map<String, String> taken = new TreeMap<>();
    left.forEach(
        (key, value) -> {
          if (prefixes.stream().anyMatch(key::startsWith)) {
            taken.put(key, value);
          }
        });
    left.keySet().removeAll(taken.keySet());
    return taken;
  }

  private void requireNothingLeft() {
    if (!left.isEmpty()) {
      Set<String> unknown = left.keySet();
      throw new IllegalArgumentException(
          "unknown settings "
              + unknown
              + ": remove them or correct their spelling; known are "
              + String.join(", ", KEYS)
              + ", schema.registry.*, policy.* and kafka.*");
    }
  }
}
