package dev.berth.streams.query;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.proto.api.Freshness;
import java.util.List;

/**
 * The fields that all lists of the API have under the same numbers (a test of the interface holds
 * them there), and those with the same name in every answer.
 */
final class Fields {
  private static final int PAGE_SIZE = 1;
  private static final int PAGE_TOKEN = 2;
  private static final int ENTRIES = 1;
  private static final int NEXT_PAGE_TOKEN = 2;

  private Fields() {}

  static int pageSize(Message request) {
    return (Integer) request.getField(field(request, PAGE_SIZE));
  }

  static String pageToken(Message request) {
    return (String) request.getField(field(request, PAGE_TOKEN));
  }

  static List<?> entries(Message response) {
    return (List<?>) response.getField(field(response, ENTRIES));
  }

  static String nextPageToken(Message response) {
    return (String) response.getField(field(response, NEXT_PAGE_TOKEN));
  }

  static Freshness freshness(Message response) {
    return (Freshness)
        response.getField(response.getDescriptorForType().findFieldByName("freshness"));
  }

  /** An answer of a list. */
  static Message.Builder page(
      Message empty, Iterable<?> entries, String nextPageToken, Freshness freshness) {
    Message.Builder page = empty.newBuilderForType();
    entries.forEach(entry -> page.addRepeatedField(field(empty, ENTRIES), entry));
    page.setField(field(empty, NEXT_PAGE_TOKEN), nextPageToken);
    page.setField(empty.getDescriptorForType().findFieldByName("freshness"), freshness);
    return page;
  }

  private static FieldDescriptor field(Message message, int number) {
    return message.getDescriptorForType().findFieldByNumber(number);
  }
}
