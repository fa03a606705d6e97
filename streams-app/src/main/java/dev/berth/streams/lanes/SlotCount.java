package dev.berth.streams.lanes;

/**
 * Attach slots in use on a node; kept because counting them for each attach would grow with them.
 *
 * @param inUse slots (count)
 */
public record SlotCount(long inUse) {}
