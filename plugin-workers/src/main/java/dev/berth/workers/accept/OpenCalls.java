package dev.berth.workers.accept;

/** Where accepted attempts go: their calls are made there, off the thread that accepts. */
public interface OpenCalls {

  /** Returns how many more attempts may be open now. */
  int room();

  /**
   * Begins the calls of an attempt and returns at once. Its acceptance must be known to be
   * committed.
   */
  void begin(Accepted accepted);
}
