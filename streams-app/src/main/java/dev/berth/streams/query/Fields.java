package dev.berth.streams.query;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.proto.api.Freshness;
import java.util.List;

/**
 * The fields that all lists and all watches of the API have under the same numbers (a test of the
 * interface holds them there), and those with the same name in every answer.
 */
final class Fields {
  private static final int PAGE_SIZE = 1;
  private static final int PAGE_TOKEN = 2;
  private static final int ENTRIES = 1;
  private static final int NEXT_PAGE_TOKEN = 2;

  /** What a change of a watch says: how an entry is. */
  static final int UPDATED = 1;

  /** That one is gone. */
  static final int REMOVED = 2;

  /** That all there were have been told. */
  static final int SYNCED = 3;

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

  /** A request for a page of a list. */
  static <Q extends Message> Q paged(Q request, int size, String token) {
    Message.Builder paged = request.toBuilder();
    paged.setField(field(request, PAGE_SIZE), size);
    paged.setField(field(request, PAGE_TOKEN), token);
    return typed(request, paged.build());
  }

  /**
   * The request of a list that asks for what one of its watch does, in fields of the same names.
   */
  static <Q extends Message> Q copied(Message asked, Q empty) {
    Message.Builder copy = empty.newBuilderForType();
    asked
        .getAllFields()
        .forEach(
            (field, value) ->
                copy.setField(
                    empty.getDescriptorForType().findFieldByName(field.getName()), value));
    return typed(empty, copy.build());
  }

  /**
   * A change that a watch tells.
   *
   * @param kind number of the field that says it
   */
  static <C extends Message> C change(C empty, int kind, Message what) {
    return typed(empty, empty.newBuilderForType().setField(field(empty, kind), what).build());
  }

  /** A message, as what it was built from. */
  static <M extends Message> M typed(M like, Message message) {
    @SuppressWarnings("unchecked") // Of the very class that it is cast to.
    M typed = (M) like.getClass().cast(message);
    return typed;
  }

  private static FieldDescriptor field(Message message, int number) {
    return message.getDescriptorForType().findFieldByNumber(number);
  }
}
