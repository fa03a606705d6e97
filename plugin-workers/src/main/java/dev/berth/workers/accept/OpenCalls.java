package dev.berth.workers.accept;

/** Where accepted attempts go: their calls are made there, off the thread that accepts. */
public interface OpenCalls {

  /** Returns how many more attempts may be open now. */
  int room();

  /**
   * Takes places for attempts that are about to be accepted, so that no other route takes the same
   * ones meanwhile.
   *
   * @param wanted how many
   * @return how many there are, at most as many as wanted; to be given back
   */
  int take(int wanted);

  /** Gives places back, after what was begun in them was begun. */
  void giveBack(int places);

  /**
   * Begins the calls of an attempt and returns at once. Its acceptance must be known to be
   * committed.
   */
  void begin(Accepted accepted);
}
