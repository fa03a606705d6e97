package dev.berth.driver.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttachRulesTest {

  private static final Usage WRITER = new Usage(Mode.SINGLE_NODE_WRITER, false, false);
  private static final Usage SHARED = new Usage(Mode.MULTI_NODE_MULTI_WRITER, false, false);
  private static final Optional<Volume> SINGLE = Optional.of(new Volume("v", Access.SINGLE_NODE));
  private static final Optional<Volume> MULTI = Optional.of(new Volume("v", Access.MULTI_NODE));
  private static final Optional<ProviderNode> ROOMY = Optional.of(new ProviderNode("n", 0));

  @Test
  void freeVolumeIsAttachedUnderTheFirstFreeDevice() {
    List<Attachment> onNode =
        List.of(
            new Attachment("x", "n", WRITER, "/dev/xvdba"),
            new Attachment("y", "n", WRITER, "/dev/xvdbc"));

    assertThat(AttachRules.publish("v", "n", WRITER, SINGLE, ROOMY, List.of(), onNode))
        .isEqualTo(
            new Decision.Accept(
                List.of(new Change.Attached("v", "n", WRITER, "/dev/xvdbb")),
                Map.of("device", "/dev/xvdbb")));
  }

  @Test
  void manyDevicesHaveManyNames() {
    List<Attachment> onNode = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Decision decision =
          AttachRules.publish("v" + i, "n", WRITER, SINGLE, ROOMY, List.of(), onNode);
      Change.Attached attached = (Change.Attached) ((Decision.Accept) decision).changes().get(0);
      onNode.add(new Attachment(attached.volume(), "n", WRITER, attached.device()));
    }

    assertThat(onNode).extracting(Attachment::device).doesNotHaveDuplicates();
    assertThat(onNode.get(26).device()).isEqualTo("/dev/xvdca");
    assertThat(onNode.get(650).device()).isEqualTo("/dev/xvdbaa");
  }

  @Test
  void repeatedAttachChangesNothingAndKeepsTheContext() {
    Attachment here = new Attachment("v", "n", WRITER, "/dev/xvdbz");

    assertThat(AttachRules.publish("v", "n", WRITER, SINGLE, ROOMY, List.of(here), List.of(here)))
        .isEqualTo(new Decision.Accept(List.of(), Map.of("device", "/dev/xvdbz")));
  }

  @Test
  void repeatedAttachOnAFullNodeIsStillOk() {
    Attachment here = new Attachment("v", "n", WRITER, "/dev/xvdba");
    Optional<ProviderNode> full = Optional.of(new ProviderNode("n", 1));

    assertThat(AttachRules.publish("v", "n", WRITER, SINGLE, full, List.of(here), List.of(here)))
        .isInstanceOf(Decision.Accept.class);
  }

  @Test
  void sharedUseNeedsBothSidesToShare() {
    Attachment elsewhere = new Attachment("v", "o", SHARED, "/dev/xvdba");

    assertThat(AttachRules.publish("v", "n", SHARED, MULTI, ROOMY, List.of(elsewhere), List.of()))
        .isInstanceOf(Decision.Accept.class);
    assertThat(AttachRules.publish("v", "n", WRITER, MULTI, ROOMY, List.of(elsewhere), List.of()))
        .isEqualTo(
            new Decision.Refuse(Status.Code.FAILED_PRECONDITION, "volume v is attached to node o"));
  }

  @Test
  void detachNamesOnlyWhatIsAttachedThere() {
    List<Attachment> ofVolume =
        List.of(
            new Attachment("v", "n", SHARED, "/dev/xvdba"),
            new Attachment("v", "o", SHARED, "/dev/xvdba"));

    assertThat(AttachRules.unpublish("n", ofVolume))
        .isEqualTo(new Decision.Accept(List.of(new Change.Detached("v", "n")), Map.of()));
    assertThat(AttachRules.unpublish("p", ofVolume)).isEqualTo(Decision.already());
    assertThat(AttachRules.unpublish("", ofVolume))
        .isEqualTo(
            new Decision.Accept(
                List.of(new Change.Detached("v", "n"), new Change.Detached("v", "o")), Map.of()));
  }
}
