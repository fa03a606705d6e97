package dev.berth.ops.browser;

import java.io.Serial;

/** A request is not answered: how, says the reply. */
final class RefusedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;
  private final transient Reply reply;

  RefusedException(int status, String text) {
    super(text);
    this.reply = Reply.error(status, text);
  }

  Reply reply() {
    return reply;
  }
}
