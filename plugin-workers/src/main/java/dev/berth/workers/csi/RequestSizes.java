package dev.berth.workers.csi;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Whether a request is as small as CSI wants it (specification, "Size Limits"). Registration has
 * checked what it saw; a secret and a mount flag have their values only now, and a volume may be
 * older than the check.
 *
 * <p>Names fields and keys, never a value: it may be a secret.
 */
final class RequestSizes {

  /** A string of which the specification says nothing else (bytes). */
  private static final int LONGEST = 128;

  /** All of a repeated string; said of {@code mount_flags} (bytes). */
  private static final int LARGEST_LIST = 4 * 1024;

  /**
   * Strings with a limit of their own (bytes). A node id's is the specification's, a volume id's is
   * that of registration: drivers make longer ones than CSI has room for.
   */
  private static final Map<String, Integer> OTHER = Map.of("node_id", 256, "volume_id", 1024);

  /** "Overrides the general size limit": as long as the operating system takes them. */
  private static final List<String> PATHS = List.of("staging_target_path", "target_path");

  private record Part(String name, int bytes) {}

  private RequestSizes() {}

  /** Returns what is too large, its size and the limit, or empty. */
  static Optional<String> problem(Message request) {
    return request.getAllFields().entrySet().stream()
        .flatMap(field -> problem(field.getKey(), field.getValue()).stream())
        .findFirst();
  }

  private static Optional<String> problem(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      return tooLarge(field, entries((List<?>) value), StringMaps.LARGEST);
    }
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      return field.isRepeated() ? Optional.empty() : problem((Message) value);
    }
    if (field.getJavaType() != FieldDescriptor.JavaType.STRING || PATHS.contains(field.getName())) {
      return Optional.empty();
    }
    return field.isRepeated()
        ? tooLarge(field, places((List<?>) value), LARGEST_LIST)
        : tooLong(field, bytes(value), OTHER.getOrDefault(field.getName(), LONGEST));
  }

  private static Optional<String> tooLong(FieldDescriptor field, int size, int limit) {
    return size <= limit
        ? Optional.empty()
        : Optional.of(
            "%s has %d bytes; CSI plugins are sent %d at most"
                .formatted(field.getName(), size, limit));
  }

  private static Optional<String> tooLarge(FieldDescriptor field, List<Part> parts, int limit) {
    int size = parts.stream().mapToInt(Part::bytes).sum();
    if (size <= limit) {
      return Optional.empty();
    }
    Part largest = parts.get(0);
    for (Part part : parts) {
      largest = part.bytes() > largest.bytes() ? part : largest;
    }
    return Optional.of(
        "%s has %d bytes, %d of them in %s; CSI allows %d together"
            .formatted(field.getName(), size, largest.bytes(), largest.name(), limit));
  }

  private static List<Part> entries(List<?> entries) {
    return entries.stream()
        .map(entry -> (MapEntry<?, ?>) entry)
        .map(
            entry ->
                new Part(name(entry.getKey()), bytes(entry.getKey()) + bytes(entry.getValue())))
        .toList();
  }

  private static String name(Object key) {
    return "'" + UnaryCall.shorten(key.toString()) + "'";
  }

  private static List<Part> places(List<?> texts) {
    return IntStream.range(0, texts.size())
        .mapToObj(i -> new Part("number " + (i + 1), bytes(texts.get(i))))
        .toList();
  }

  private static int bytes(Object text) {
    return text.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
