package dev.berth.workers.csi;

import io.grpc.Channel;

/** Whether a plugin can be called now. */
sealed interface Reach {

  /**
   * It can.
   *
   * @param channel connected to a plugin that has said that it is ready
   */
  record Ready(Channel channel) implements Reach {}

  /**
   * It cannot, and nothing was sent that does anything.
   *
   * @param why in words
   */
  record Not(String why) implements Reach {}
}
