package dev.berth.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.BerthProto;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Holds the names that clients of berth.v1 depend on, and one form for all lists. */
class BerthApiTest {

  @Test
  void rpcNamesStay() {
    assertThat(BerthGrpc.getServiceDescriptor().getMethods())
        .extracting(MethodDescriptor::getFullMethodName)
        .containsExactlyInAnyOrder(
            "berth.v1.Berth/GetVolume",
            "berth.v1.Berth/ListVolumes",
            "berth.v1.Berth/ListClaims",
            "berth.v1.Berth/ListAttachments",
            "berth.v1.Berth/ListPlugins",
            "berth.v1.Berth/ListLanes",
            "berth.v1.Berth/GetCalls",
            "berth.v1.Berth/ListNodes",
            "berth.v1.Berth/ListNodeSlots",
            "berth.v1.Berth/ListStuck",
            "berth.v1.Berth/WatchVolumes",
            "berth.v1.Berth/WatchClaims",
            "berth.v1.Berth/WatchAttachments",
            "berth.v1.Berth/WatchPlugins",
            "berth.v1.Berth/WatchLanes",
            "berth.v1.Berth/WatchNodes",
            "berth.v1.Berth/WatchNodeSlots",
            "berth.v1.Berth/WatchStuck",
            "berth.v1.Berth/WhyClaim",
            "berth.v1.Berth/SubmitCommand",
            "berth.v1.Berth/RetryStuck",
            "berth.v1.Berth/OpenSession",
            "berth.v1.Berth/RedeemSession",
            "berth.v1.Berth/CloseSession");
  }

  @Test
  void onlyWhatTakesItsTimeIsAStream() {
    assertThat(BerthGrpc.getServiceDescriptor().getMethods())
        .filteredOn(method -> method.getType() != MethodType.UNARY)
        .extracting(MethodDescriptor::getBareMethodName, MethodDescriptor::getType)
        .containsExactlyInAnyOrder(
            tuple("WatchVolumes", MethodType.SERVER_STREAMING),
            tuple("WatchClaims", MethodType.SERVER_STREAMING),
            tuple("WatchAttachments", MethodType.SERVER_STREAMING),
            tuple("WatchPlugins", MethodType.SERVER_STREAMING),
            tuple("WatchLanes", MethodType.SERVER_STREAMING),
            tuple("WatchNodes", MethodType.SERVER_STREAMING),
            tuple("WatchNodeSlots", MethodType.SERVER_STREAMING),
            tuple("WatchStuck", MethodType.SERVER_STREAMING),
            tuple("RetryStuck", MethodType.SERVER_STREAMING));
  }

  @Test
  void everyListIsPagedInTheSameFields() {
    assertThat(messages("List", "Request"))
        .hasSize(8)
        .allSatisfy(
            request ->
                assertThat(request.getFields().subList(0, 2))
                    .extracting(
                        FieldDescriptor::getNumber,
                        FieldDescriptor::getName,
                        FieldDescriptor::getJavaType)
                    .containsExactly(
                        tuple(1, "page_size", JavaType.INT),
                        tuple(2, "page_token", JavaType.STRING)));
    assertThat(messages("List", "Response"))
        .hasSize(8)
        .allSatisfy(
            response ->
                assertThat(response.getFields())
                    .extracting(FieldDescriptor::getName)
                    .hasSize(3)
                    .endsWith("next_page_token", "freshness"));
  }

  @Test
  void everyListCanBeWatchedByTheSameFiltersAndInTheSameFields() {
    assertThat(messages("Watch", "Request")).hasSize(8);
    assertThat(messages("Watch", "Request"))
        .allSatisfy(
            watch -> {
              Descriptor list = message(watch.getName().replaceFirst("^Watch", "List"));
              assertThat(filters(watch)).isEqualTo(filters(list));
            });
    assertThat(messages("Watch", "Response"))
        .hasSize(8)
        .allSatisfy(
            change -> {
              Descriptor list = message(change.getName().replaceFirst("^Watch", "List"));
              assertThat(change.getFields())
                  .extracting(FieldDescriptor::getNumber, FieldDescriptor::getName)
                  .containsExactly(tuple(1, "updated"), tuple(2, "removed"), tuple(3, "synced"));
              assertThat(change.findFieldByNumber(1).getMessageType())
                  .isEqualTo(list.findFieldByNumber(1).getMessageType());
            });
  }

  private static Map<String, String> filters(Descriptor request) {
    Map<String, String> filters = new TreeMap<>();
    for (FieldDescriptor field : request.getFields()) {
      boolean paging = Set.of("page_size", "page_token", "options").contains(field.getName());
      if (!paging) {
        boolean message = field.getJavaType() == JavaType.MESSAGE;
        filters.put(
            field.getName(),
            message ? field.getMessageType().getFullName() : field.getType().name());
      }
    }
    return filters;
  }

  private static Descriptor message(String name) {
    return BerthProto.getDescriptor().findMessageTypeByName(name);
  }

  private static List<Descriptor> messages(String prefix, String suffix) {
    return BerthProto.getDescriptor().getMessageTypes().stream()
        .filter(type -> type.getName().startsWith(prefix) && type.getName().endsWith(suffix))
        .toList();
  }
}
