package dev.berth.ops.chaos;

import dev.berth.producers.Author;
import dev.berth.producers.Commands;
import dev.berth.producers.Connection;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** An operator who detaches, retries, collects and pauses while everything else goes on. */
final class Operator implements AutoCloseable {

  private static final Duration FOR_ANSWER = Duration.ofSeconds(45);
  private static final Duration FOR_RESUME = Duration.ofMinutes(2);
  private static final Author AUTHOR = Author.of("operator", "chaos");

  private final Commands commands;
  private final ConcurrentHashMap<String, Integer> outcomes = new ConcurrentHashMap<>();

  Operator(Connection connection) {
    this.commands = Commands.start(connection);
  }

  /** What was commanded and answered: counts by command and outcome. */
  Map<String, Integer> outcomes() {
    return Map.copyOf(outcomes);
  }

  /** One command, or two that belong together. */
  void act(SplittableRandom random, String plugin, String volume, String node)
      throws InterruptedException {
    switch (random.nextInt(5)) {
      case 0, 1 -> send("detach", () -> commands.detach(Load.NAMESPACE, volume, node, AUTHOR));
      case 2 ->
          send("retry", () -> commands.retry(Load.NAMESPACE, volume, Optional.empty(), AUTHOR));
      case 3 -> send("gc", () -> commands.collectGarbage(AUTHOR));
      default -> {
        send("pause", () -> commands.pause(plugin, AUTHOR));
        TimeUnit.MILLISECONDS.sleep(random.nextInt(500, 3_000));
        resume(plugin);
      }
    }
  }

  @Override
  public void close() {
    commands.close();
  }

  /**
   * A plugin that stays paused would hold every claim, whatever became of the pause; so it is said
   * until it is answered, by "there is nothing to do" too.
   */
  private void resume(String plugin) throws InterruptedException {
    long deadline = System.nanoTime() + FOR_RESUME.toNanos();
    while (!send("resume", () -> commands.resume(plugin, AUTHOR))) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("plugin " + plugin + " could not be resumed");
      }
    }
  }

  private boolean send(String name, Supplier<CompletableFuture<CommandResult>> command)
      throws InterruptedException {
    String outcome = "unanswered";
    boolean answered = false;
    try {
      CommandOutcome got =
          command.get().get(FOR_ANSWER.toMillis(), TimeUnit.MILLISECONDS).getOutcome();
      outcome = got.name();
      answered = true;
    } catch (TimeoutException | ExecutionException e) {
      // Counted: a broker that is away answers nobody.
      TimeUnit.MILLISECONDS.sleep(200);
    }
    outcomes.merge(name + " " + outcome, 1, Integer::sum);
    return answered;
  }
}
