package dev.berth.producers;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions that were asked over one topic and are answered over another, by id. Safe for use by
 * many threads.
 *
 * @param <A> the answer
 */
final class OpenQuestions<A> {

  private static final Logger log = LoggerFactory.getLogger(OpenQuestions.class);

  private record Question<A>(CompletableFuture<A> answer, Consumer<A> interim) {}

  private final Map<String, Question<A>> openById = new ConcurrentHashMap<>();
  private final Function<A, String> id;
  private final Predicate<A> isFinal;

  /**
   * No question is open.
   *
   * @param id the question that an answer answers
   * @param isFinal whether no other answer follows
   */
  OpenQuestions(Function<A, String> id, Predicate<A> isFinal) {
    this.id = id;
    this.isFinal = isFinal;
  }

  /**
   * Opens a question. It stays open until its future completes, by the answer or otherwise: a
   * caller that cancels is done with it. A question that is open already is not opened twice: both
   * askers get the one answer.
   *
   * @param interim told of answers before the final one, on the thread that reads answers
   */
  CompletableFuture<A> open(String questionId, Consumer<A> interim) {
    Question<A> question = new Question<>(new CompletableFuture<>(), interim);
    Question<A> before = openById.putIfAbsent(questionId, question);
    if (before != null) {
      return before.answer();
    }
    onCompletion(question.answer(), failure -> openById.remove(questionId));
    return question.answer();
  }

  /** Ends a question with the failure of asking it, if asking fails. */
  static void failWith(CompletableFuture<?> asked, CompletableFuture<?> answer) {
    onCompletion(
        asked,
        failure -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          }
        });
  }

  /** Hands an answer to who asked; answers to others' questions are passed over. */
  void answer(A answer) {
    Question<A> question = openById.get(id.apply(answer));
    if (question == null) {
      return;
    }
    if (isFinal.test(answer)) {
      question.answer().complete(answer);
    } else {
      tell(question, answer);
    }
  }

  /** Questions without a final answer (count). */
  int count() {
    return openById.size();
  }

  /** Ends every open question. */
  void closeAll(Function<String, RuntimeException> reasonById) {
    List.copyOf(openById.entrySet())
        .forEach(
            entry ->
                entry.getValue().answer().completeExceptionally(reasonById.apply(entry.getKey())));
  }

  /** A listener's failure is its own; the answers behind it must still arrive. */
  private static <A> void tell(Question<A> question, A answer) {
    try {
      question.interim().accept(answer);
    } catch (RuntimeException e) {
      log.warn("a listener of the caller failed", e);
    }
  }

  /** The future that this makes is of no use: the actions above do not fail. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void onCompletion(
      CompletableFuture<?> future, Consumer<@Nullable Throwable> action) {
    future.whenComplete((value, failure) -> action.accept(failure));
  }
}
