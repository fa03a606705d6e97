package dev.berth.ops.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What the build says of itself. */
public final class Build {

  private static final String RESOURCE = "/dev/berth/ops/build.properties";

  private Build() {}

  /** The version of Berth. */
  public static String version() {
    return property("version");
  }

  /** The version of the Kafka clients and of the embedded broker. */
  public static String kafkaVersion() {
    return property("kafka");
  }

  private static String property(String name) {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is not on the class path");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty(name, "unknown");
  }
}
