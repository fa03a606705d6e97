package dev.berth.producers.trace;

/**
 * How far a replay has come.
 *
 * @param ended allocs that have come to their end, those of earlier runs included (count)
 * @param live allocs between claim and end (count)
 * @param total allocs in all (count)
 */
public record ReplayProgress(int ended, int live, int total) {}
