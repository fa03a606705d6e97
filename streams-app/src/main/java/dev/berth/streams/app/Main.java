package dev.berth.streams.app;

import dev.berth.streams.topology.BerthTopology;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Runs the application until the process is asked to end: {@code Main --config FILE [--key=value
 * …]}. See {@link SettingSources} for where settings come from and {@link AppConfig} for their
 * keys.
 */
public final class Main {
  /** Exit status after a failure that no try could mend. */
  static final int FAILED = 1;

  /** Exit status when it cannot be started as configured, or not on this cluster. */
  static final int REFUSED = 2;

  private Main() {}

  /** See the class. */
  public static void main(String[] args) throws InterruptedException {
    int status = run(List.of(args), System.getenv(), System.err);
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Runs to the end and returns the exit status. */
  static int run(List<String> arguments, Map<String, String> environment, PrintStream err)
      throws InterruptedException {
    Map<String, String> settings;
    AppConfig config;
    try {
      settings = SettingSources.read(arguments, environment);
      config = AppConfig.parse(settings);
    } catch (IllegalArgumentException e) {
      err.println("berth streams: " + e.getMessage());
      return REFUSED;
    }
    if (settings.containsKey(AppSettings.LOG_FORMAT)) {
      err.println(
          "berth streams: %s is passed over here: the logging library writes the log as it is"
                  .formatted(AppSettings.LOG_FORMAT)
              + " configured; 'berth streams' heeds it");
    }
    try (BerthApp app = new BerthApp(config, BerthTopology::build)) {
      // SIGTERM runs this; the process then ends when the group has been left.
      Runtime.getRuntime().addShutdownHook(new Thread(app::close, "shutdown"));
      app.start();
      AppState end = app.awaitEnd();
      if (end.phase() == AppState.Phase.FAILED) {
        err.println("berth streams: " + end.text());
        return FAILED;
      }
      return 0;
    } catch (IllegalArgumentException | UncheckedIOException | StartupRefusedException e) {
      err.println("berth streams: " + e.getMessage());
      return REFUSED;
    } catch (RuntimeException e) {
      err.println("berth streams: %s; %s".formatted(e, Fault.of(e).remedy()));
      e.printStackTrace(err);
      return FAILED;
    }
  }
}
