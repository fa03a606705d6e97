package dev.berth.workers.config;

import dev.berth.records.PluginRole;
import dev.berth.schemas.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@link WorkerConfig} from flat settings; whatever it has not asked for is unknown. */
final class WorkerSettings {

  private static final Pattern ENDPOINT = Pattern.compile("plugins\\.([^.]+)\\.(.+)");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Set<String> ENDPOINT_KEYS =
      Set.of(
          "endpoint",
          "role",
          "node",
          "plugin",
          "route",
          "mount.root",
          "tls",
          "tls.ca",
          "tls.cert",
          "tls.key",
          "tls.name");
  private static final List<String> REGISTRY =
      List.of("schema.registry.", "basic.auth.", "bearer.auth.", "proxy.", "auto.register.schemas");

  /** What the accept transaction and the outcomes rest on. */
  private static final Set<String> NOT_TO_CHANGE =
      Set.of(
          "acks",
          "auto.offset.reset",
          "bootstrap.servers",
          "enable.auto.commit",
          "enable.idempotence",
          "group.id",
          "group.instance.id",
          "isolation.level",
          "key.deserializer",
          "key.serializer",
          "partitioner.class",
          "partitioner.ignore.keys",
          "retries",
          "transactional.id",
          "value.deserializer",
          "value.serializer");

  private final TreeMap<String, String> left;

  private WorkerSettings(Map<String, String> settings) {
    this.left = new TreeMap<>(settings);
  }

  static WorkerConfig read(Map<String, String> settings) {
    WorkerSettings reader = new WorkerSettings(settings);
    reader.left.remove(SettingSources.LOG_FORMAT);
    WorkerRole role = reader.workerRole();
    WorkerConfig config =
        new WorkerConfig(
            reader.id("worker.id"),
            role,
            reader.required("bootstrap.servers", "the brokers, for example 127.0.0.1:9092"),
            reader.registry(),
            new Topics(reader.take("topic.prefix").orElse(Topics.DEFAULT_PREFIX)),
            role.of(reader.endpoints()),
            reader.count("open.calls.max", 200),
            reader.directory("mount.root").orElse(Path.of("/var/lib/berth/csi")),
            reader.discoveryInterval(),
            reader.duration("listing.interval.ms", Duration.ofMinutes(1)),
            reader.duration("drain.timeout.ms", Duration.ofSeconds(150)),
            reader.port("health.port"),
            reader.starting(List.of("config.providers")),
            reader.kafka());
    reader.requireNothingLeft();
    return config;
  }

  private WorkerRole workerRole() {
    return WorkerRole.of(
        take("worker.role"), optionalId("worker.plugin"), optionalId("worker.node"));
  }

  private Map<String, String> registry() {
    if (!left.containsKey("schema.registry.url")) {
      throw missing("schema.registry.url", "the registry, for example http://127.0.0.1:8081");
    }
    return starting(REGISTRY);
  }

  private Map<String, String> kafka() {
    Map<String, String> kafka = new TreeMap<>();
    starting(List.of("kafka."))
        .forEach((key, value) -> kafka.put(key.substring("kafka.".length()), value));
    for (String key : kafka.keySet()) {
      if (NOT_TO_CHANGE.contains(key)) {
        throw new IllegalArgumentException(
            "kafka." + key + " cannot be set: the worker's guarantees rest on it; remove it");
      }
    }
    return kafka;
  }

  private List<EndpointConfig> endpoints() {
    Set<String> names = new TreeSet<>();
    for (String key : left.keySet()) {
      Matcher matcher = ENDPOINT.matcher(key);
      if (matcher.matches() && ENDPOINT_KEYS.contains(matcher.group(2))) {
        names.add(matcher.group(1));
      }
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "no plugin is configured: set plugins.<name>.endpoint, .role and .node");
    }
    List<EndpointConfig> endpoints = new ArrayList<>();
    for (String name : names) {
      endpoints.add(endpoint(name));
    }
    requireDistinct(endpoints);
    return endpoints;
  }

  private EndpointConfig endpoint(String name) {
    String path = "plugins." + name + ".";
    PluginAddress address = address(path + "endpoint");
    return new EndpointConfig(
        name,
        optionalId(path + "plugin"),
        role(path + "role"),
        id(path + "node"),
        left.containsKey(path + "route") ? id(path + "route") : EndpointConfig.POOL,
        address,
        new EndpointReader(name, under(path)).tls(address),
        directory(path + "mount.root"));
  }

  /** Two endpoints of one plugin, role and node: nobody could say which of them a work means. */
  private static void requireDistinct(List<EndpointConfig> endpoints) {
    Set<List<Object>> seen = new HashSet<>();
    for (EndpointConfig endpoint : endpoints) {
      if (endpoint.plugin().isPresent()
          && !seen.add(List.of(endpoint.plugin().get(), endpoint.role(), endpoint.node()))) {
        throw new IllegalArgumentException(
            "plugins.%s.endpoint: plugin %s has another %s endpoint on node %s; remove one"
                .formatted(
                    endpoint.name(), endpoint.plugin().get(), endpoint.role(), endpoint.node()));
      }
    }
  }

  private PluginRole role(String key) {
    String value = required(key, "controller or node");
    return switch (value) {
      case "controller" -> PluginRole.CONTROLLER;
      case "node" -> PluginRole.NODE;
      default -> throw new IllegalArgumentException(key + "=" + value + ": set controller or node");
    };
  }

  private PluginAddress address(String key) {
    String value = required(key, "unix:///path/to/csi.sock or host:port");
    try {
      return new PluginAddress(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
  }

  private String id(String key) {
    String value = required(key, "a name of letters, digits, '.', '_' and '-'");
    if (!ID.matcher(value).matches()) {
      throw new IllegalArgumentException(
          key + "=" + value + ": take 1 to 100 letters, digits, '.', '_' or '-'");
    }
    return value;
  }

  private Optional<Path> directory(String key) {
    Optional<Path> path = take(key).map(Path::of);
    if (path.isPresent() && !path.get().isAbsolute()) {
      throw new IllegalArgumentException(
          key + "=" + path.get() + ": only absolute paths are taken; begin it with /");
    }
    return path;
  }

  private int count(String key, int otherwise) {
    return number(key, 1, 10_000).map(Long::intValue).orElse(otherwise);
  }

  private OptionalInt port(String key) {
    Optional<Long> port = number(key, 0, 65_535);
    return port.isPresent() ? OptionalInt.of(port.get().intValue()) : OptionalInt.empty();
  }

  /** Whoever is silent for three periods of 30 seconds counts as unhealthy: no longer than one. */
  private Duration discoveryInterval() {
    Duration longest = Duration.ofSeconds(30);
    return number("discovery.interval.ms", 1, longest.toMillis())
        .map(Duration::ofMillis)
        .orElse(longest);
  }

  private Duration duration(String key, Duration otherwise) {
    return number(key, 1, Duration.ofDays(1).toMillis()).map(Duration::ofMillis).orElse(otherwise);
  }

  private Optional<Long> number(String key, long least, long most) {
    Optional<String> text = take(key);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(text.get());
      if (number >= least && number <= most) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // Said below, together with numbers out of range.
    }
    throw new IllegalArgumentException(
        "%s=%s: set a whole number from %d to %d".formatted(key, text.get(), least, most));
  }

  private String required(String key, String remedy) {
    return take(key).orElseThrow(() -> missing(key, remedy));
  }

  private Optional<String> optionalId(String key) {
    return left.containsKey(key) ? Optional.of(id(key)) : Optional.empty();
  }

  private EndpointReader.Settings under(String path) {
    return new EndpointReader.Settings() {
      @Override
      public Optional<String> take(String key) {
        return WorkerSettings.this.take(path + key);
      }

      @Override
      public Optional<Path> directory(String key) {
        return WorkerSettings.this.directory(path + key);
      }
    };
  }

  private static IllegalArgumentException missing(String key, String remedy) {
    return new IllegalArgumentException(key + " is not set: give " + remedy);
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
      throw new IllegalArgumentException(
          "unknown settings " + left.keySet() + ": remove them or correct their spelling");
    }
  }
}
