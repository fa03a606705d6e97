package dev.berth.driver;

import dev.berth.driver.provider.Admission;
import dev.berth.driver.provider.Decision;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a call does, apart from when and whether: that is the script's.
 *
 * @param begin asked when the call comes in
 * @param finish done when the call's time has come; not at all if the call is refused, fails by
 *     script or is given up
 * @param whenNotReady the reply while the plugin pretends to be starting, if the call has one
 */
record Work<T>(Supplier<Admission> begin, Supplier<Outcome<T>> finish, Optional<T> whenNotReady) {

  /** What came of it. */
  sealed interface Outcome<T> {

    /** The answer. */
    record Done<T>(T reply) implements Outcome<T> {}

    /** It was refused by the rules of the provider or the specification. */
    record Refused<T>(Status.Code code, String message) implements Outcome<T> {}

    /** What a decision of the provider means for the call. */
    static <T> Outcome<T> of(Decision decision, Function<Map<String, String>, T> reply) {
      if (decision instanceof Decision.Refuse refuse) {
        return new Refused<>(refuse.code(), refuse.message());
      }
      return new Done<>(reply.apply(((Decision.Accept) decision).context()));
    }
  }

  Work(Supplier<Admission> begin, Supplier<Outcome<T>> finish) {
    this(begin, finish, Optional.empty());
  }

  /** A question that changes nothing and stands in nobody's way. */
  static <T> Work<T> question(Supplier<Outcome<T>> answer) {
    return new Work<>(Admission::free, answer);
  }

  /** A question that always has the same answer. */
  static <T> Work<T> answer(T reply) {
    return question(() -> new Outcome.Done<>(reply));
  }

  /** A call that is refused at once. */
  static <T> Work<T> refused(Status.Code code, String message) {
    return new Work<>(
        () -> new Admission.Refused(code, message), () -> new Outcome.Refused<>(code, message));
  }

  /** A call whose arguments are wrong. */
  static <T> Work<T> invalid(String problem) {
    return refused(Status.Code.INVALID_ARGUMENT, problem);
  }
}
