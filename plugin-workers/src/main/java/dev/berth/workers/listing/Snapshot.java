package dev.berth.workers.listing;

import dev.berth.records.ListedVolume;
import dev.berth.workers.time.Clocks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A listing of a plugin's volumes as a whole, or the reason why there is none. Half a listing
 * proves nothing, so nothing of it is kept.
 */
sealed interface Snapshot {

  /** How often a listing begins again when the plugin has lost its place. */
  int MOST_RESTARTS = 3;

  /** After so many a listing counts as one without end; a page holds hundreds of volumes. */
  int MOST_PAGES = 10_000;

  /**
   * All pages, taken from one beginning.
   *
   * @param beganAt when the first page was asked for
   * @param volumes the volumes of all pages
   */
  record Whole(Instant beganAt, List<ListedVolume> volumes) implements Snapshot {
    /** Keeps a copy. */
    public Whole {
      volumes = List.copyOf(volumes);
    }
  }

  /**
   * None.
   *
   * @param beganAt when its first page was asked for, the last time
   * @param why in words
   */
  record None(Instant beganAt, String why) implements Snapshot {}

  /** Asks for page after page until the last; begins again where the plugin has lost its place. */
  static Snapshot take(PageSource source, Clocks clocks) {
    String why = "";
    Instant beganAt = clocks.read().wall();
    for (int restarts = 0; restarts <= MOST_RESTARTS; restarts++) {
      beganAt = clocks.read().wall();
      List<ListedVolume> volumes = new ArrayList<>();
      PageSource.Answer end = follow(source, volumes);
      if (end instanceof PageSource.Page) {
        return new Whole(beganAt, volumes);
      } else if (end instanceof PageSource.Failed failed) {
        return new None(beganAt, failed.why());
      } else if (end instanceof PageSource.TokenLost lost) {
        why = lost.why();
      }
    }
    return new None(
        beganAt,
        "the plugin lost its place %d times; the last time it said: %s"
            .formatted(MOST_RESTARTS + 1, why));
  }

  /** Collects pages; returns the last one, or what came instead of it. */
  private static PageSource.Answer follow(PageSource source, List<ListedVolume> volumes) {
    Set<String> asked = new HashSet<>();
    String token = "";
    while (true) {
      PageSource.Answer answer = source.ask(token);
      if (!(answer instanceof PageSource.Page page)) {
        return answer;
      }
      volumes.addAll(page.volumes());
      token = page.next();
      if (token.isEmpty()) {
        return page;
      }
      if (asked.size() >= MOST_PAGES) {
        return new PageSource.Failed(
            "its listing has no end: %d pages so far".formatted(asked.size()));
      }
      if (!asked.add(token)) {
        return new PageSource.Failed("its pages go round in a circle: a next_token came twice");
      }
    }
  }
}
