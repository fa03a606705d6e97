package dev.berth.streams.query;

import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where the next page of a list begins: behind the last key of the page before. It says which list
 * it is of, so that one that is mixed up is refused and does not skip entries.
 */
final class PageToken {
  private static final char MARK = '\n';

  private PageToken() {}

  /**
   * Makes one.
   *
   * @param list name of the list
   * @param last last key of the page
   */
  static String of(String list, String last) {
    byte[] text = (list + MARK + last).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  /**
   * Reads one.
   *
   * @param list name of the list
   * @return the last key of the page before; empty for the first page
   * @throws io.grpc.StatusRuntimeException INVALID_ARGUMENT when it is none of this list
   */
  static String last(String list, String token) {
    if (token.isEmpty()) {
      return "";
    }
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      int mark = text.indexOf(MARK);
      if (mark > 0 && text.substring(0, mark).equals(list)) {
        return text.substring(mark + 1);
      }
    } catch (IllegalArgumentException e) {
      // Said below, together with tokens of other lists.
    }
    throw Status.INVALID_ARGUMENT
        .withDescription(
            "page_token is none of %s: leave it empty, or give next_page_token of the page before"
                .formatted(list))
        .asRuntimeException();
  }
}
