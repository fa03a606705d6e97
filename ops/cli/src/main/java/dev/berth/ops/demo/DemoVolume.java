package dev.berth.ops.demo;

import dev.berth.records.AccessMode;

/**
 * A volume of the demonstration.
 *
 * @param id volume id
 * @param plugin plugin that serves it
 * @param externalId the provider's id
 * @param access how all its claims use it
 */
public record DemoVolume(String id, String plugin, String externalId, AccessMode access) {

  /** Whether one writer at a time is all it takes, so that the next one waits. */
  public boolean oneWriter() {
    return access == AccessMode.SINGLE_NODE_WRITER || access == AccessMode.MULTI_NODE_SINGLE_WRITER;
  }
}
