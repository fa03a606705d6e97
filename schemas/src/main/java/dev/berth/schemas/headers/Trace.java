package dev.berth.schemas.headers;

import java.util.regex.Pattern;

/**
 * Where a record belongs in a distributed trace, in the words of W3C Trace Context. Berth makes no
 * spans: it hands on what it was given, unchanged, so that a scheduler's trace finds the plugin's.
 *
 * @param parent {@code traceparent}; empty where there is no trace
 * @param state {@code tracestate}; may be empty
 */
public record Trace(String parent, String state) {

  /** Key of the header, and of the metadata of a call. */
  public static final String PARENT = "traceparent";

  /** Key of the header, and of the metadata of a call. */
  public static final String STATE = "tracestate";

  /** No trace. */
  public static final Trace NONE = new Trace("", "");

  /** Version, trace id, parent id, flags; later versions may say more behind them. */
  private static final Pattern VALID =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
              + "(?:-[!-~]{1,60})?");

  /** As much of a state as everybody must hand on (characters). */
  private static final int LONGEST_STATE = 512;

  private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");

  /**
   * Takes what somebody else wrote. A parent that is none is no trace; a state that is none is left
   * out, as the standard has it. Nothing else is ever handed on.
   */
  public static Trace of(String parent, String state) {
    if (!VALID.matcher(parent).matches()) {
      return NONE;
    }
    boolean usable = state.length() <= LONGEST_STATE && PRINTABLE.matcher(state).matches();
    return new Trace(parent, usable ? state : "");
  }

  /** Returns whether there is none. */
  public boolean isNone() {
    return parent.isEmpty();
  }
}
