package dev.berth.ops.lives;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LifelineTest {

  @Test
  @DisplayName("a life hears of the end of the process that watches it, and not before")
  void cut() throws IOException, InterruptedException {
    CountDownLatch heard = new CountDownLatch(1);
    try (PipedOutputStream watcher = new PipedOutputStream();
        PipedInputStream input = new PipedInputStream(watcher)) {
      Lifeline.hold(input, heard::countDown);
      assertThat(heard.getCount()).isEqualTo(1);
      watcher.close();
      assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
