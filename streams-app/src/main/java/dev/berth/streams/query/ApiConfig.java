package dev.berth.streams.query;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Where the API listens.
 *
 * @param listen address to listen on; port 0 takes a free one
 * @param advertised address at which the other instances reach it, and which they are told; empty
 *     for the one listened on
 */
public record ApiConfig(Address listen, Optional<Address> advertised) {

  /** Port unless a deployment chooses another. */
  public static final int DEFAULT_PORT = 7070;

  /** On the loopback address, reached there. */
  public static final ApiConfig DEFAULT =
      new ApiConfig(new Address("127.0.0.1", DEFAULT_PORT), Optional.empty());

  /**
   * A host and a port.
   *
   * @param host name or address, an IPv6 address without its brackets
   * @param port port
   */
  public record Address(String host, int port) {
    /**
     * Reads {@code host:port}.
     *
     * @param key setting that it is the value of
     * @throws IllegalArgumentException naming key, value and remedy
     */
    public static Address parse(String key, String text) {
      int colon = text.lastIndexOf(':');
      String host = colon < 0 ? "" : text.substring(0, colon);
      int port = colon < 0 ? -1 : port(text.substring(colon + 1));
      boolean brackets = host.startsWith("[") && host.endsWith("]");
      if (host.isBlank() || port < 0 || (host.contains(":") && !brackets)) {
        throw new IllegalArgumentException(
            "%s=%s: write host:port, for example 127.0.0.1:%d".formatted(key, text, DEFAULT_PORT));
      }
      return new Address(brackets ? host.substring(1, host.length() - 1) : host, port);
    }

    private static int port(String text) {
      try {
        int port = Integer.parseInt(text);
        return port <= 65_535 ? port : -1;
      } catch (NumberFormatException e) {
        return -1;
      }
    }

    /**
     * Whether nobody beyond this machine reaches it.
     *
     * @param key setting that it is the value of
     * @throws IllegalArgumentException when the name stands for nothing
     */
    public boolean loopback(String key) {
      try {
        return InetAddress.getByName(host).isLoopbackAddress();
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "%s=%s: the host is not known; write an address of this machine".formatted(key, this),
            e);
      }
    }

    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }
}
