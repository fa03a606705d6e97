package dev.berth.bench.latency;

/** What is measured, from the time at which an event was due. */
public enum Way {
  /** A claim, until the plugin is asked to attach. */
  ATTACH("event to attach"),
  /** The end of an alloc, until the plugin is asked to detach. */
  DETACH("terminal event to detach"),
  /** A claim, until the scheduler has the reply. */
  GRANT("claim to grant");

  private final String word;

  Way(String word) {
    this.word = word;
  }

  /** In words. */
  public String word() {
    return word;
  }
}
