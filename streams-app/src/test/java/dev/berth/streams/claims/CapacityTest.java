package dev.berth.streams.claims;

import static dev.berth.records.AccessMode.MULTI_NODE_READER;
import static dev.berth.records.AccessMode.MULTI_NODE_SINGLE_WRITER;
import static dev.berth.records.AccessMode.SINGLE_NODE_READER;
import static dev.berth.records.AccessMode.SINGLE_NODE_WRITER;
import static dev.berth.records.ClientStatus.FAILED;
import static dev.berth.streams.claims.Ask.owner;
import static dev.berth.streams.claims.Ask.reader;
import static dev.berth.streams.claims.Ask.writer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AttachmentMode;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Capacity")
class CapacityTest {

  @Test
  @DisplayName("of a multi-node single-writer volume is one writer and every reader")
  void oneWriterAllReaders() {
    Volumes vM = Volumes.f0("vM");
    vM.lanes.auto();

    vM.claim(writer("w1", "n1", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(reader("r2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.claim(reader("r3", "n3", MULTI_NODE_READER));

    assertThat(vM.replies())
        .containsExactly("w1 granted", "w2 waiting held-by=w1", "r2 granted", "r3 granted");
    assertThat(vM.table())
        .containsExactly(
            "r2 n2 read taken", "r3 n3 read taken", "w1 n1 write taken", "w2 n2 write waiting");
  }

  @Test
  @DisplayName("of a single-node volume is one claim of any kind, also on the same node")
  void singleNode() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(reader("r1", "n1", SINGLE_NODE_READER));

    vA.claim(reader("r2", "n1", SINGLE_NODE_READER));
    vA.claim(owner("w3", "n2"));

    assertThat(vA.replies()).containsExactly("r2 waiting held-by=r1", "w3 rejected mode");
  }

  @Test
  @DisplayName("is not freed before the detach is known")
  void keptWhileUnpublishing() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(writer("w1", "n1", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));

    vM.ends("w1");
    vM.unmounted("w1");

    assertThat(vM.requests()).containsExactly("CU vol-m i-1");
    assertThat(vM.table()).containsExactly("w1 n1 write node-detached", "w2 n2 write waiting");
  }

  @Test
  @DisplayName("goes first to who came first")
  void firstComeFirstServed() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a9", "n1"));
    vA.claim(owner("a8", "n2"));
    vA.pass(Duration.ofSeconds(1));
    vA.claim(owner("a1", "n3"));
    vA.ends("a9");
    vA.unmounted("a9");
    vA.drain();

    vA.ok("CU vol-a i-1");

    assertThat(vA.requests()).containsExactly("CP vol-a i-2 rw (slot)");
    assertThat(vA.table()).containsExactly("a1 n3 write waiting", "a8 n2 write taken");
  }

  @Test
  @DisplayName("passes one that does not fit to a later one that does")
  void readerPassesWriter() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(writer("w1", "n1", MULTI_NODE_SINGLE_WRITER));
    vM.claim(writer("w2", "n2", MULTI_NODE_SINGLE_WRITER));
    vM.drain();

    vM.claim(reader("r3", "n3", MULTI_NODE_SINGLE_WRITER));

    assertThat(vM.requests()).containsExactly("CP vol-m i-3 ro (slot)");
  }

  @Test
  @DisplayName("is given to the next at once when the one before is rejected")
  void passedOnAfterRejection() {
    Volumes vA = Volumes.f0("vA");
    vA.lanes.full();

    vA.claim(owner("a1", "n1"));
    vA.claim(owner("a2", "n2"));

    assertThat(vA.replies()).containsExactly("a1 rejected slots", "a2 rejected slots");
    assertThat(vA.table()).isEmpty();
  }

  @Test
  @DisplayName("is not asked of a claim whose alloc ends while it waits, and that causes no work")
  void waiterEnds() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n1"));
    vA.claim(owner("a2", "n1"));
    vA.drain();

    vA.client("a2", FAILED);
    vA.unmounted("a2");

    assertThat(vA.replies()).containsExactly("a2 rejected alloc-terminal");
    assertThat(vA.requests()).isEmpty();
    assertThat(vA.table()).containsExactly("a1 n1 write taken");
    assertThat(vA.attachments()).containsExactly("i-1 attached");
  }

  @Test
  @DisplayName("carries the mode of the first claim until the last row is gone")
  void modeOfTheFirst() {
    Volumes vM = Volumes.f0("vM");
    vM.grant(writer("w1", "n1", MULTI_NODE_SINGLE_WRITER), reader("r2", "n2", MULTI_NODE_READER));
    vM.lanes.auto();

    vM.ends("w1");
    vM.unmounted("w1");
    Volume shared = vM.volume().orElseThrow();
    vM.ends("r2");
    vM.unmounted("r2");

    assertThat(shared.access()).isEqualTo(MULTI_NODE_SINGLE_WRITER);
    assertThat(shared.attachment()).isEqualTo(AttachmentMode.FILE_SYSTEM);
    assertThat(vM.volume()).contains(shared.inMode(null, null));
  }

  @Test
  @DisplayName("of an unclaimed volume may be taken in another mode than before")
  void otherModeAfterRelease() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n2"));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.answerAll();
    vA.drain();

    vA.claim(reader("a2", "n3", SINGLE_NODE_READER));

    assertThat(vA.requests()).containsExactly("CP vol-a i-3 ro (slot)");
  }

  @Test
  @DisplayName("rejects who waits for a mode that the next holder does not share")
  void waiterOfAnotherMode() {
    Volumes vA = Volumes.f0("vA");
    vA.grant(owner("a1", "n1"));
    vA.claim(reader("r2", "n2", SINGLE_NODE_READER));
    vA.claim(writer("w3", "n3", SINGLE_NODE_WRITER));
    vA.ends("a1");
    vA.unmounted("a1");
    vA.drain();

    vA.answerAll();

    assertThat(vA.replies()).containsExactly("w3 rejected mode", "r2 granted");
  }
}
