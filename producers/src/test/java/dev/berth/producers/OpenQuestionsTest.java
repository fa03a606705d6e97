package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OpenQuestionsTest {

  private record Answer(String question, String text, boolean last) {}

  private final OpenQuestions<Answer> questions =
      new OpenQuestions<>(Answer::question, Answer::last);

  @Test
  void theFinalAnswerCompletesItsQuestionOnly() {
    CompletableFuture<Answer> first = questions.open("q1", interim -> {});
    CompletableFuture<Answer> second = questions.open("q2", interim -> {});

    questions.answer(new Answer("q1", "yes", true));

    assertThat(first).isCompletedWithValue(new Answer("q1", "yes", true));
    assertThat(second).isNotDone();
  }

  @Test
  void aQuestionAskedTwiceHasOneAnswer() {
    CompletableFuture<Answer> first = questions.open("q1", interim -> {});
    CompletableFuture<Answer> second = questions.open("q1", interim -> {});

    questions.answer(new Answer("q1", "yes", true));

    assertThat(first).isCompletedWithValue(new Answer("q1", "yes", true));
    assertThat(second).isCompletedWithValue(new Answer("q1", "yes", true));
  }

  @Test
  void answersBeforeTheFinalOneGoToTheListener() {
    List<String> heard = new ArrayList<>();
    CompletableFuture<Answer> answer = questions.open("q1", interim -> heard.add(interim.text()));

    questions.answer(new Answer("q1", "wait", false));
    questions.answer(new Answer("q1", "wait still", false));

    assertThat(heard).containsExactly("wait", "wait still");
    assertThat(answer).isNotDone();
  }

  @Test
  void aListenersFailureDoesNotStopTheAnswersBehindIt() {
    CompletableFuture<Answer> answer =
        questions.open(
            "q1",
            interim -> {
              throw new IllegalStateException("listener");
            });

    questions.answer(new Answer("q1", "wait", false));
    questions.answer(new Answer("q1", "yes", true));

    assertThat(answer).isCompletedWithValue(new Answer("q1", "yes", true));
  }

  @Test
  void aCancelledQuestionIsForgotten() {
    List<String> heard = new ArrayList<>();
    CompletableFuture<Answer> answer = questions.open("q1", interim -> heard.add(interim.text()));

    answer.cancel(false);
    questions.answer(new Answer("q1", "wait", false));

    assertThat(heard).isEmpty();
    assertThat(answer).isCancelled();
  }

  @Test
  void closingFailsWhatIsOpen() {
    CompletableFuture<Answer> open = questions.open("q1", interim -> {});
    CompletableFuture<Answer> answered = questions.open("q2", interim -> {});
    questions.answer(new Answer("q2", "yes", true));

    questions.closeAll(id -> new ClosedException(id + " was closed"));

    assertThat(open)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(ClosedException.class)
        .withMessageContaining("q1 was closed");
    assertThat(answered).isCompletedWithValue(new Answer("q2", "yes", true));
  }
}
