package dev.berth.ops.command;

/** What the command's exit code says. */
public final class ExitCode {

  /** Done. */
  public static final int OK = 0;

  /** Not done, or done and found wrong. */
  public static final int FAILED = 1;

  /** Not begun: the command line cannot be understood. */
  public static final int USAGE = 2;

  /** Ended by Ctrl-C before it was done; what a shell says of SIGINT, 128 and the signal's 2. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
