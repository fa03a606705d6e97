package dev.berth.streams.kernel;

/**
 * One sorted table of a decider's state, by name.
 *
 * @param name fixed name, also that of the store behind it
 * @param type class of the values
 * @param <V> type of the values, immutable
 */
public record Table<V>(String name, Class<V> type) {}
