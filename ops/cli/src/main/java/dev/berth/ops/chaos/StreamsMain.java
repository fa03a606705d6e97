package dev.berth.ops.chaos;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.berth.streams.app.Main;
import org.slf4j.LoggerFactory;

/** A Streams instance as it is run elsewhere, whose log tells what it restores as well. */
public final class StreamsMain {

  private static final String RESTORES =
      "org.apache.kafka.streams.processor.internals.StoreChangelogReader";

  private StreamsMain() {}

  /** As {@link Main#main}. */
  public static void main(String[] args) throws InterruptedException {
    if (LoggerFactory.getLogger(RESTORES) instanceof Logger logger) {
      logger.setLevel(Level.INFO);
    }
    Main.main(args);
  }
}
