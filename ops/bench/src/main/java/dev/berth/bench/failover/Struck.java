package dev.berth.bench.failover;

/** What is killed. */
enum Struck {
  /** A worker: another one takes its work over. */
  WORKER("worker killed", 1),
  /** A Streams instance whose stores another one keeps warm. */
  STREAMS_WITH_STANDBY("Streams killed, with standby", 1),
  /** A Streams instance whose stores nobody else has. */
  STREAMS_ALONE("Streams killed, without standby", 0),
  /** The only broker, which is started again at once. */
  BROKER("broker killed", 1);

  private final String words;
  private final int standbys;

  Struck(String words, int standbys) {
    this.words = words;
    this.standbys = standbys;
  }

  /** Warm copies of each store (count). */
  int standbys() {
    return standbys;
  }

  /** Whether it is a Streams instance. */
  boolean isStreams() {
    return this == STREAMS_WITH_STANDBY || this == STREAMS_ALONE;
  }

  @Override
  public String toString() {
    return words;
  }
}
