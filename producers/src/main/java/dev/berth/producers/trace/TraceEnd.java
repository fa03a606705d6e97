package dev.berth.producers.trace;

import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;

/** How an alloc of a trace ends. */
public enum TraceEnd {
  /** It fails; then its client unmounts. */
  FAILS(ClientStatus.FAILED, DesiredStatus.RUN),
  /** It completes; then its client unmounts. */
  COMPLETES(ClientStatus.COMPLETE, DesiredStatus.RUN),
  /** Its scheduler wants it stopped, it completes, then its client unmounts. */
  IS_STOPPED(ClientStatus.COMPLETE, DesiredStatus.STOP),
  /** Its client unmounts, and it completes after that. */
  UNMOUNTS_FIRST(ClientStatus.COMPLETE, DesiredStatus.RUN);

  private final ClientStatus client;
  private final DesiredStatus desired;

  TraceEnd(ClientStatus client, DesiredStatus desired) {
    this.client = client;
    this.desired = desired;
  }

  /** Returns the client status that ends it. */
  public ClientStatus client() {
    return client;
  }

  /** Returns what its scheduler wants of it then. */
  public DesiredStatus desired() {
    return desired;
  }
}
