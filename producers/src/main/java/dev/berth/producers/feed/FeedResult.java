package dev.berth.producers.feed;

/**
 * What a feed did.
 *
 * @param before lines that earlier runs of the feed had come to (count)
 * @param lines lines read by this run behind those, empty ones included (count)
 * @param events events said, or in a dry run good to be said (count)
 * @param rejected lines rejected (count)
 */
public record FeedResult(long before, long lines, long events, long rejected) {}
