package dev.berth.streams.claims;

/**
 * Index entry: a claim on a node.
 *
 * @param key volume
 * @param alloc alloc id
 */
public record NodeClaim(VolumeKey key, String alloc) {}
