package dev.berth.driver.provider;

/**
 * A publish of a volume on a node.
 *
 * @param stagingPath where it is staged; empty if left out
 * @param target where it is to appear
 */
public record MountRequest(
    String volume, String node, String stagingPath, String target, Usage usage) {}
