package dev.berth.bench.load;

import java.time.Duration;

/**
 * Requests at fixed times, whether or not earlier ones are answered, as those who use a system send
 * them: a load that waits for answers sends less just when the system is slow, and hides it.
 *
 * @param perSecond requests per second, more than 0
 * @param count requests in all (count)
 */
public record OpenLoad(double perSecond, int count) {
  /** Refuses a load of nothing. */
  public OpenLoad {
    if (!(perSecond > 0) || count < 1) {
      throw new IllegalArgumentException(
          "perSecond %s, count %d: give more than 0 of both".formatted(perSecond, count));
    }
  }

  /** What sends a request. */
  public interface Sender {
    /**
     * Sends a request, and does not wait for its answer.
     *
     * @param number its number, from 0
     * @param due when it was due (nanoseconds, by the pacer's clock); its latency counts from here
     * @throws InterruptedException when interrupted
     */
    void send(int number, long due) throws InterruptedException;
  }

  /** When a request is due, from the beginning of the load. */
  public Duration due(int number) {
    return Duration.ofNanos(Math.round(number / perSecond * 1e9));
  }

  /** How long it lasts: until the request after the last one would be due. */
  public Duration length() {
    return due(count);
  }

  /**
   * Sends every request when it is due, or at once when that has passed; none is left out.
   *
   * @return the longest time by which a request was sent late
   * @throws InterruptedException when interrupted
   */
  public Duration run(Pacer pacer, Sender sender) throws InterruptedException {
    long began = pacer.now();
    long latest = 0;
    for (int number = 0; number < count; number++) {
      long due = began + due(number).toNanos();
      pacer.until(due);
      latest = Math.max(latest, pacer.now() - due);
      sender.send(number, due);
    }
    return Duration.ofNanos(latest);
  }
}
