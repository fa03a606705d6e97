package dev.berth.ops.api;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.Serial;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A call of the API was not answered; the message is one line for people, with the remedy. */
public final class ApiFailedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private static final String NO_SUCH_HOST = "no such host";

  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\((-\\d+)\\):?");

  /** Linux's numbers of the errors that a connection ends with. */
  private static final Map<String, String> ERRORS =
      Map.of(
          "-101", "Network is unreachable",
          "-104", "Connection reset by peer",
          "-110", "Connection timed out",
          "-111", "Connection refused",
          "-113", "No route to host");

  private final Status.Code code;

  private ApiFailedException(Status.Code code, String message) {
    super(message);
    this.code = code;
  }

  /** What gRPC calls it. */
  public Status.Code code() {
    return code;
  }

  /**
   * What a failed call means.
   *
   * @param target whom it was made to
   * @param timeout that the call had
   */
  static ApiFailedException of(StatusRuntimeException failure, ApiTarget target, Duration timeout) {
    Status status = failure.getStatus();
    String said = status.getDescription() == null ? "" : status.getDescription();
    return new ApiFailedException(
        status.getCode(),
        status.getCode() == Status.Code.UNAVAILABLE
            ? noConnection(reason(status, said), target)
            : text(status, said, target.address().toString(), timeout));
  }

  /** It answered, and again and again that it cannot answer yet. */
  static ApiFailedException notYet(StatusRuntimeException failure, String api, Duration waited) {
    return new ApiFailedException(
        failure.getStatus().getCode(),
        "the API at %s cannot answer yet after %d s: %s; look at the health of the instances, or give --partial to see what there is"
            .formatted(api, waited.toSeconds(), failure.getStatus().getDescription()));
  }

  /** It breaks its own rules. */
  static ApiFailedException broken(String api, String what) {
    return new ApiFailedException(
        Status.Code.INTERNAL, "the API at %s %s: is it of another version?".formatted(api, what));
  }

  private static String text(Status status, String said, String api, Duration timeout) {
    return switch (status.getCode()) {
      // The server's own words name field, value and remedy.
      case NOT_FOUND, INVALID_ARGUMENT, FAILED_PRECONDITION, ALREADY_EXISTS -> said;
      case DEADLINE_EXCEEDED ->
          // The server says more than that when it was a command.
          said.startsWith("command ")
              ? said
              : "no answer from the API at %s within %s; give it more time with --timeout, or look at its health"
                  .formatted(api, seconds(timeout));
      case UNAUTHENTICATED ->
          "the API at %s does not know who calls: %s; --api-token-file FILE names a file with your token"
              .formatted(api, said);
      case PERMISSION_DENIED ->
          "the API at %s refuses this call: %s; it needs another role or namespace"
              .formatted(api, said);
      case RESOURCE_EXHAUSTED -> "the API at %s does not do it: %s".formatted(api, said);
      case UNIMPLEMENTED ->
          "the API at %s does not have this call: update that instance, it is older than this command"
              .formatted(api);
      default ->
          "the API at %s failed (%s): %s; the log of that instance says more"
              .formatted(api, status.getCode(), said);
    };
  }

  private static String noConnection(String reason, ApiTarget target) {
    String said = "no answer from the API at %s: %s; ".formatted(target.address(), reason);
    if (reason.contains(NO_SUCH_HOST)) {
      return said + "correct the host: --api HOST:PORT names it";
    }
    if (reason.contains("Connection refused") || reason.contains("no further information")) {
      return said
          + "is an instance running there? 'berth dev' starts one, --api HOST:PORT names another";
    }
    return said
        + (target.encrypted()
            ? "does it speak TLS, does its certificate come from --api-tls-ca and have the name of"
                + " the host (or --api-tls-name), and does it want --api-tls-certificate?"
            : "is an instance there, and does it speak TLS? then give --api-tls-ca FILE or"
                + " --api-tls; --api HOST:PORT names another");
  }

  /** "Connection refused" stands in a cause, behind what netty says of the channel. */
  private static String reason(Status status, String said) {
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null && !(cause instanceof UnknownHostException)) {
      cause = cause.getCause();
    }
    if (cause instanceof UnknownHostException || said.startsWith("Unable to resolve host")) {
      return NO_SUCH_HOST;
    }
    return cause == null || cause.getMessage() == null ? said : inWords(cause.getMessage());
  }

  /** What the native transport says of a system call, without the call and its number. */
  static String inWords(String message) {
    Matcher call = SYSTEM_CALL.matcher(message);
    if (!call.find()) {
      return message;
    }
    String words = message.substring(call.end()).strip();
    return words.isEmpty() ? ERRORS.getOrDefault(call.group(1), message) : words;
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }
}
