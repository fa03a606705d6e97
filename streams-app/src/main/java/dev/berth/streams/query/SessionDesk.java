package dev.berth.streams.query;

import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.OpenSessionResponse;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import io.grpc.Status;

/**
 * Gives out one-time tokens and gives sessions for them. Every call throws a {@link
 * io.grpc.StatusRuntimeException}, or an {@link UnavailableException}, when it is not done. Safe
 * for use by many threads.
 */
public interface SessionDesk extends AutoCloseable {

  /**
   * Reads and writes sessions from now on, and collects those that have expired whenever Berth
   * collects garbage.
   *
   * @param access the topics
   */
  void serve(TopicAccess access);

  /** Gives out a one-time token to the caller of the call under way. */
  OpenSessionResponse open(OpenSessionRequest request);

  /** Gives a session for a one-time token. */
  RedeemSessionResponse redeem(RedeemSessionRequest request);

  /** Ends sessions of the caller of the call under way. */
  CloseSessionResponse end(CloseSessionRequest request);

  @Override
  void close();

  /** That of an API which knows no callers: it has no sessions. */
  SessionDesk NONE =
      new SessionDesk() {
        @Override
        public void serve(TopicAccess access) {
          // Nothing to read.
        }

        @Override
        public OpenSessionResponse open(OpenSessionRequest request) {
          throw none();
        }

        @Override
        public RedeemSessionResponse redeem(RedeemSessionRequest request) {
          throw none();
        }

        @Override
        public CloseSessionResponse end(CloseSessionRequest request) {
          throw none();
        }

        @Override
        public void close() {
          // Nothing was opened.
        }

        private RuntimeException none() {
          return Status.FAILED_PRECONDITION
              .withDescription(
                  "this API knows no callers, so that it has no sessions either: everybody on its"
                      + " machine may do everything; set api.tokens to have callers")
              .asRuntimeException();
        }
      };
}
