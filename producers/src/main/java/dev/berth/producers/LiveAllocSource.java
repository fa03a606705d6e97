package dev.berth.producers;

/** Asks a scheduler for its live allocs. */
@FunctionalInterface
public interface LiveAllocSource {

  /**
   * Begins a new list when it is called, and returns it complete. A list that was kept from before,
   * or of which a part could not be read, frees volumes that are in use: throw instead.
   *
   * @throws Exception when there is no complete list now; nothing is said of any alloc then
   */
  LiveAllocs list() throws Exception;
}
