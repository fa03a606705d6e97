package dev.berth.ops.api;

import dev.berth.streams.query.ApiConfig.Address;
import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which instance is called, and how.
 *
 * @param address where it is
 * @param encrypted whether over TLS
 * @param channel how to connect
 * @param name which its certificate must have; empty for the host of the address
 * @param calls what is shown with each call; null for nothing
 */
public record ApiTarget(
    Address address,
    boolean encrypted,
    ChannelCredentials channel,
    Optional<String> name,
    @Nullable CallCredentials calls) {

  /** Without encryption, showing nothing: what an instance on the loopback address wants. */
  public static ApiTarget plain(Address address) {
    return new ApiTarget(
        address, false, InsecureChannelCredentials.create(), Optional.empty(), null);
  }
}
