package dev.berth.streams.cluster;

import java.time.Instant;

/**
 * An operator's word that a node can no longer write.
 *
 * @param by author
 * @param reason why
 * @param at when it was given; it speaks of the outage of that time
 * @param owedSince when the node was first fenced since somebody last said that it is clean: what
 *     was mounted there then may be still, whatever was said of later outages
 */
public record Fence(String by, String reason, Instant at, Instant owedSince) {
  /** The first fence since the node was clean. */
  public Fence(String by, String reason, Instant at) {
    this(by, reason, at, at);
  }
}
