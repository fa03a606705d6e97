package dev.berth.driver;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Provider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** One simulated plugin instance as a process of its own; {@code --help} says how. */
public final class Main {

  private static final int SERVED = 0;
  private static final int CANNOT_SERVE = 1;
  private static final int WRONG_USE = 2;

  private Main() {}

  /** Runs until the process is told to stop. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  static int run(List<String> arguments, PrintStream out, PrintStream err)
      throws InterruptedException {
    if (arguments.contains("--help")) {
      out.print(HelpText.TEXT);
      return SERVED;
    }
    try {
      CommandLine command = CommandLine.parse(arguments);
      serve(command, DriverSetup.of(settings(command.spec())), out);
      return SERVED;
    } catch (IllegalArgumentException e) {
      err.println("berth-sim-driver: " + e.getMessage());
      return WRONG_USE;
    } catch (IOException e) {
      err.println("berth-sim-driver: cannot serve: " + e.getMessage());
      return CANNOT_SERVE;
    }
  }

  private static void serve(CommandLine command, DriverSetup setup, PrintStream out)
      throws IOException, InterruptedException {
    try (Provider provider = provider(command, setup);
        CallLog log = log(command)) {
      setup.prepare(provider);
      SimulatedDriver driver = start(command, setup, provider, log);
      Runtime.getRuntime().addShutdownHook(new Thread(driver::close, "close"));
      out.println("ready " + driver.endpoint());
      // Nothing ends this but a signal, which runs the hook above.
      new CountDownLatch(1).await();
    }
  }

  private static SimulatedDriver start(
      CommandLine command, DriverSetup setup, Provider provider, CallLog log) throws IOException {
    return command.socket().isPresent()
        ? SimulatedDriver.start(setup.spec(), provider, setup.script(), log, command.socket().get())
        : SimulatedDriver.startOnLoopback(
            setup.spec(), provider, setup.script(), log, command.port().orElseThrow());
  }

  private static Provider provider(CommandLine command, DriverSetup setup) throws IOException {
    return command.stateDir().isPresent()
        ? Provider.open(setup.provider(), command.stateDir().get())
        : Provider.inMemory(setup.provider());
  }

  private static CallLog log(CommandLine command) throws IOException {
    return command.log().isPresent()
        ? CallLog.toFile(command.log().get(), InstantSource.system())
        : CallLog.inMemory(InstantSource.system());
  }

  private static Map<String, String> settings(Path file) throws IOException {
    Properties properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new IOException("settings file %s: no such file".formatted(file), e);
    }
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, properties::getProperty));
  }
}
