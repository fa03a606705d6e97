package dev.berth.driver.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.provider.ProviderSpec.Concurrency;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

class OpenCallsTest {

  private static final Admission ABORTED =
      new Admission.Refused(Status.Code.ABORTED, "another call for volume v is not finished");

  private static OpenCalls with(Concurrency concurrency) {
    return new OpenCalls(ProviderSpec.strict().withConcurrency(concurrency));
  }

  @Test
  void oneControllerCallPerVolume() {
    OpenCalls calls = with(Concurrency.ABORT_PER_VOLUME);
    calls.attach("v", "n");

    assertThat(calls.attach("v", "n")).isEqualTo(ABORTED);
    assertThat(calls.detach("v", "o")).isEqualTo(ABORTED);
    assertThat(calls.detach("w", "n")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void oneControllerCallPerVolumeAndNode() {
    OpenCalls calls = with(Concurrency.ABORT_PER_VOLUME_AND_NODE);
    calls.attach("v", "n");

    assertThat(calls.detach("v", "n")).isEqualTo(ABORTED);
    assertThat(calls.detach("v", "")).isEqualTo(ABORTED);
    assertThat(calls.attach("v", "o")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void anyNumberOfControllerCalls() {
    OpenCalls calls = with(Concurrency.ALLOW);
    calls.attach("v", "n");

    assertThat(calls.detach("v", "n")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void nodeCallsOfOneVolumeExcludeEachOtherOnOneNodeOnly() {
    OpenCalls calls = with(Concurrency.ABORT_PER_VOLUME);
    calls.mount("v", "n");

    assertThat(calls.mount("v", "n")).isEqualTo(ABORTED);
    assertThat(calls.mount("v", "o")).isInstanceOf(Admission.Admitted.class);
    assertThat(calls.attach("v", "n")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void finishedCallIsInNobodysWay() {
    OpenCalls calls = with(Concurrency.ABORT_PER_VOLUME);
    ((Admission.Admitted) calls.attach("v", "n")).release().run();

    assertThat(calls.attach("v", "n")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void laterOfTwoAttachesToOneNodeIsDoomed() {
    OpenCalls calls = with(Concurrency.ABORT_PER_VOLUME);
    calls.attach("v", "n");

    assertThat(calls.attach("w", "n"))
        .isInstanceOfSatisfying(
            Admission.Doomed.class,
            doomed ->
                assertThat(doomed.code() + " " + doomed.message())
                    .isEqualTo("INTERNAL device name in use on node n: another attach was open"));
    assertThat(calls.attach("x", "o")).isInstanceOf(Admission.Admitted.class);
    assertThat(calls.detach("y", "n")).isInstanceOf(Admission.Admitted.class);
  }

  @Test
  void attachesDoNotRaceWhereDeviceNamesAreSafe() {
    OpenCalls calls = new OpenCalls(ProviderSpec.strict().withDeviceNameRace(false));
    calls.attach("v", "n");

    assertThat(calls.attach("w", "n")).isInstanceOf(Admission.Admitted.class);
  }
}
