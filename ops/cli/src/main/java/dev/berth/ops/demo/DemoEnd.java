package dev.berth.ops.demo;

/** How an alloc comes to its end. Where node workers unmount, the unmounting is theirs. */
public enum DemoEnd {
  /** Its task completes; the client says so, unmounts and reports that. */
  COMPLETES,
  /** Its task fails; the client says so, unmounts and reports that. */
  FAILS,
  /** The scheduler wants it stopped, which ends no claim by itself; then as {@link #COMPLETES}. */
  IS_STOPPED,
  /** The client unmounts and reports that first, and says only then that the alloc is complete. */
  UNMOUNTS_FIRST
}
