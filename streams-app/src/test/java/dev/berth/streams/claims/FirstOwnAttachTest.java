package dev.berth.streams.claims;

import static dev.berth.streams.claims.Ask.sharer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.work.Settlement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The first attach of a volume in use from before its plugin could attach")
class FirstOwnAttachTest {
  private final Volumes vN = Volumes.f0("vN");

  @BeforeEach
  void inUse() {
    vN.grant(sharer("a1", "n1"));
    vN.world.controller("nfs", "n3", true);
    vN.claim(sharer("a2", "n1"));
  }

  @Test
  @DisplayName("is shared by the claims that come while it is made")
  void shared() {
    vN.claim(sharer("a3", "n1"));

    vN.ok("CP exp-n f-1 rw", Map.of("export", "x"));

    assertThat(vN.requests()).containsExactly("CP exp-n f-1 rw (slot)");
    assertThat(vN.replies()).containsExactly("a2 granted {export=x}", "a3 granted {export=x}");
  }

  @Test
  @DisplayName("is asked for by the next claim when it came to nothing, with a slot of its own")
  void next() {
    vN.claim(sharer("a3", "n1"));
    vN.drain();

    vN.answer("CP exp-n f-1 rw", AttachTest.failed(RpcCode.UNIMPLEMENTED, false));

    assertThat(vN.replies()).containsExactly("a2 rejected plugin-error");
    assertThat(vN.requests()).containsExactly("CP exp-n f-1 rw (slot)");
  }

  @Test
  @DisplayName("owes its detach to the machine that it was sent to, though it failed")
  void failedAtAMachine() {
    Volumes unknown = attachingToAnUnknownMachine();
    String attach = unknown.requests().get(0).replace(" (slot)", "");

    unknown.answerFrom("f-1", attach, AttachTest.failed(RpcCode.INTERNAL, true));
    unknown.world.nodePlugin("nfs", "n1", "f-new", false);
    unknown.unmounted("a1");

    assertThat(unknown.requests()).containsExactly("CU exp-n f-1");
  }

  @Test
  @DisplayName("is at the machine that it was sent to also for those that did not know it")
  void madeAtAMachine() {
    Volumes unknown = attachingToAnUnknownMachine();
    String attach = unknown.requests().get(0).replace(" (slot)", "");

    unknown.answerFrom("f-1", attach, new Settlement.Done(RpcCode.OK, false, Map.of()));
    unknown.world.nodePlugin("nfs", "n1", "f-new", false);
    unknown.unmounted("a2");
    unknown.unmounted("a1");

    assertThat(unknown.requests()).containsExactly("CU exp-n f-1");
  }

  @Test
  @DisplayName("keeps its slot when it is skipped after a try, and is made for the next claim")
  void skippedAfterATry() {
    vN.held("CP exp-n f-1 rw", HoldCode.CONTROLLER_ERROR, RpcCode.ABORTED, false, false);
    vN.world.controller("nfs", "n3", false);
    vN.drain();

    vN.answer("CP exp-n f-1 rw", skipped(true));
    List<String> replies = vN.replies();
    List<String> requests = vN.requests();
    vN.world.controller("nfs", "n3", true);
    vN.claim(sharer("a4", "n1"));

    assertThat(replies).containsExactly("a2 granted");
    assertThat(requests).isEmpty();
    assertThat(vN.uses().get(0).published()).isFalse();
    assertThat(vN.uses().get(0).slotHeld()).isTrue();
    assertThat(vN.requests()).containsExactly("CP exp-n f-1 rw");
  }

  @Test
  @DisplayName("gives its slot back when it is skipped before a try")
  void skippedBeforeATry() {
    vN.held("CP exp-n f-1 rw", HoldCode.NO_CONTROLLER, null, false, false);
    vN.world.controller("nfs", "n3", false);
    vN.drain();

    vN.answer("CP exp-n f-1 rw", skipped(false));

    assertThat(vN.replies()).containsExactly("a2 granted");
    assertThat(vN.requests()).containsExactly("release slot exp-n n1");
    assertThat(vN.uses().get(0).slotHeld()).isFalse();
  }

  private static Settlement.Body skipped(boolean mayHaveEffect) {
    return new Settlement.Done(RpcCode.UNIMPLEMENTED, false, Map.of(), mayHaveEffect);
  }

  /** One claim uses the volume without an attach, and the next one's is on its way. */
  private static Volumes attachingToAnUnknownMachine() {
    Volumes volumes = Volumes.f0("vN");
    volumes.world.nodePlugin("nfs", "n1", null, false);
    volumes.grant(sharer("a1", "n1"));
    volumes.world.controller("nfs", "n3", true);
    volumes.claim(sharer("a2", "n1"));
    return volumes;
  }
}
