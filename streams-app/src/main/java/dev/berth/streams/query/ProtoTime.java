package dev.berth.streams.query;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import java.time.Instant;

/** Instants and durations as messages carry them. */
final class ProtoTime {
  private ProtoTime() {}

  static Timestamp timestamp(Instant at) {
    return Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()).build();
  }

  static Instant instant(Timestamp at) {
    return Instant.ofEpochSecond(at.getSeconds(), at.getNanos());
  }

  static Duration duration(java.time.Duration time) {
    return Duration.newBuilder().setSeconds(time.getSeconds()).setNanos(time.getNano()).build();
  }
}
