package dev.berth.embedded.broker;

import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.server.ServerSocketFactory;

/**
 * Listening sockets that are bound before the broker starts.
 *
 * <p>The broker's own address is part of its configuration, so its ports must be known first. A
 * free port that is only looked up can be taken by somebody else before the broker binds it; these
 * are bound once and handed over.
 */
final class BoundSockets implements ServerSocketFactory, Closeable {

  /** Loopback only: the embedded broker has no authentication. */
  static final String HOST = "127.0.0.1";

  /** The broker's own default is the system's. */
  private static final int BACKLOG = 50;

  private final Map<String, ServerSocketChannel> unclaimed = new HashMap<>();

  /**
   * Binds a listener.
   *
   * @param port the port, or 0 for any free one
   * @return the port that was bound
   * @throws BindException when another process has the port
   */
  synchronized int bind(String listener, int port) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(HOST, port), BACKLOG);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    unclaimed.put(listener, channel);
    return channel.socket().getLocalPort();
  }

  /** Binds a port if it is free, else any other. */
  int bindPreferring(String listener, int port) throws IOException {
    try {
      return bind(listener, port);
    } catch (BindException taken) {
      return bind(listener, 0);
    }
  }

  @Override
  public synchronized ServerSocketChannel openServerSocket(
      String listener, InetSocketAddress address, int backlog, int receiveBufferBytes)
      throws IOException {
    ServerSocketChannel channel = unclaimed.remove(listener);
    if (channel == null) {
      throw new IOException("listener " + listener + " at " + address + " was not bound before");
    }
    channel.configureBlocking(false);
    return channel;
  }

  /** Closes the sockets that the broker has not taken over. */
  @Override
  public synchronized void close() throws IOException {
    for (ServerSocketChannel channel : unclaimed.values()) {
      channel.close();
    }
    unclaimed.clear();
  }
}
