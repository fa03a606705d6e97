package dev.berth.workers.listing;

import dev.berth.records.ListedVolume;
import java.util.List;

/** Where the pages of one plugin's listing come from. */
@FunctionalInterface
interface PageSource {

  /** What was answered to the question for a page. */
  sealed interface Answer {}

  /**
   * A page.
   *
   * @param volumes its volumes; those of which the plugin says nothing are not among them
   * @param next token of the next page; empty when this is the last
   */
  record Page(List<ListedVolume> volumes, String next) implements Answer {
    /** Keeps a copy. */
    public Page {
      volumes = List.copyOf(volumes);
    }
  }

  /**
   * The token is not valid any more (csi.v1: ABORTED): begin again.
   *
   * @param why the plugin's words
   */
  record TokenLost(String why) implements Answer {}

  /**
   * There is no such page, and none after it.
   *
   * @param why in words
   */
  record Failed(String why) implements Answer {}

  /**
   * Asks.
   *
   * @param token token of the page; empty for the first
   */
  Answer ask(String token);
}
