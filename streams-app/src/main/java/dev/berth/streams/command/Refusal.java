package dev.berth.streams.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why a command was refused. */
public enum Refusal {
  /** Somebody uses it. */
  IN_USE,
  /** The node is ready: its workloads may be writing. */
  NODE_ALIVE,
  /** There is no such thing. */
  NOT_FOUND,
  /** It is so already. */
  NO_CHANGE,
  /** The provider's volume is registered under another name. */
  EXTERNAL_ID_TAKEN,
  /** The command contradicts itself or lacks something. */
  INVALID;

  private final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** The code as topics and commands write it: {@code node-alive}. */
  public String text() {
    return text;
  }

  /** The refusal of that text; empty when there is none. */
  public static Optional<Refusal> of(String text) {
    return Arrays.stream(values()).filter(refusal -> refusal.text.equals(text)).findFirst();
  }
}
