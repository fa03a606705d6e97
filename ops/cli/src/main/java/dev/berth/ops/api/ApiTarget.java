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

  /** Whether nobody on the way can read what is sent: it is encrypted, or stays on this machine. */
  public boolean isPrivate() {
    if (encrypted) {
      return true;
    }
    try {
      return address.loopback("api");
    } catch (IllegalArgumentException e) {
      // A host that nobody knows here may be known a moment later.
      return false;
    }
  }

  /** The same, showing nothing with the calls. */
  public ApiTarget withoutCalls() {
    return calling(null);
  }

  /** The same, showing something else with each call. */
  ApiTarget calling(@Nullable CallCredentials others) {
    return new ApiTarget(address, encrypted, channel, name, others);
  }

  /** Without encryption, showing nothing: what an instance on the loopback address wants. */
  public static ApiTarget plain(Address address) {
    return new ApiTarget(
        address, false, InsecureChannelCredentials.create(), Optional.empty(), null);
  }
}
