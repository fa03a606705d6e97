package dev.berth.driver.provider;

/**
 * A volume that is attached to a node.
 *
 * @param device the device name on the node, unique there
 */
public record Attachment(String volume, String node, Usage usage, String device) {}
