package dev.berth.driver;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The arguments of {@link Main}.
 *
 * @param socket unix socket to serve on; empty if {@code port} is given
 * @param port loopback port to serve on; empty if {@code socket} is given
 */
record CommandLine(
    Optional<Path> socket,
    Optional<Integer> port,
    Path spec,
    Optional<Path> log,
    Optional<Path> stateDir) {

  private static final List<String> FLAGS =
      List.of("--socket", "--port", "--spec", "--log", "--state-dir");

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException naming the argument and what to write
   */
  static CommandLine parse(List<String> arguments) {
    Map<String, String> given = new TreeMap<>();
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String flag = rest.next();
      if (!FLAGS.contains(flag)) {
        throw new IllegalArgumentException(
            "unknown argument '%s'; use %s".formatted(flag, String.join(", ", FLAGS)));
      }
      if (!rest.hasNext()) {
        throw new IllegalArgumentException("%s has no value; write one after it".formatted(flag));
      }
      given.put(flag, rest.next());
    }
    Optional<Path> socket = path(given, "--socket");
    Optional<Integer> port = Optional.ofNullable(given.get("--port")).map(CommandLine::port);
    if (socket.isPresent() == port.isPresent()) {
      throw new IllegalArgumentException("give one of --socket and --port");
    }
    Path spec =
        path(given, "--spec")
            .orElseThrow(
                () -> new IllegalArgumentException("--spec is missing; name the settings file"));
    return new CommandLine(socket, port, spec, path(given, "--log"), path(given, "--state-dir"));
  }

  private static Optional<Path> path(Map<String, String> given, String flag) {
    return Optional.ofNullable(given.get(flag)).map(Path::of);
  }

  private static int port(String text) {
    long port = SettingsReader.explained("--port", text, SettingsReader::number);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port=%s: write 0 to 65535".formatted(text));
    }
    return (int) port;
  }
}
