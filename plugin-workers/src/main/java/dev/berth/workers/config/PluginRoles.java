package dev.berth.workers.config;

import dev.berth.records.CsiCall;
import dev.berth.records.PluginRole;

/** Which service of a plugin serves which call (csi.v1). */
public final class PluginRoles {

  private PluginRoles() {}

  /** Returns the service that a call goes to. */
  public static PluginRole serving(CsiCall rpc) {
    return switch (rpc) {
      case CONTROLLER_PUBLISH, CONTROLLER_UNPUBLISH -> PluginRole.CONTROLLER;
      case NODE_STAGE, NODE_PUBLISH, NODE_UNPUBLISH, NODE_UNSTAGE -> PluginRole.NODE;
    };
  }
}
