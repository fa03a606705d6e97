package dev.berth.driver.calls;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The RPCs that the driver serves, with the short notation that scenarios and reports use. */
public enum Rpc {
  GET_PLUGIN_INFO("GetPluginInfo", "PI"),
  GET_PLUGIN_CAPABILITIES("GetPluginCapabilities", "PC"),
  PROBE("Probe", "PR"),
  CONTROLLER_PUBLISH("ControllerPublishVolume", "CP"),
  CONTROLLER_UNPUBLISH("ControllerUnpublishVolume", "CU"),
  LIST_VOLUMES("ListVolumes", "LV"),
  CONTROLLER_GET_CAPABILITIES("ControllerGetCapabilities", "CC"),
  NODE_STAGE("NodeStageVolume", "NS"),
  NODE_UNSTAGE("NodeUnstageVolume", "NT"),
  NODE_PUBLISH("NodePublishVolume", "NP"),
  NODE_UNPUBLISH("NodeUnpublishVolume", "NU"),
  NODE_GET_CAPABILITIES("NodeGetCapabilities", "NC"),
  NODE_GET_INFO("NodeGetInfo", "NI");

  private final String csiName;
  private final String symbol;

  Rpc(String csiName, String symbol) {
    this.csiName = csiName;
    this.symbol = symbol;
  }

  /** The method name in the CSI specification. */
  public String csiName() {
    return csiName;
  }

  /** Two letters, unique. */
  public String symbol() {
    return symbol;
  }

  /** Attach or detach: the calls that lanes exist for. */
  public boolean isControllerWork() {
    return this == CONTROLLER_PUBLISH || this == CONTROLLER_UNPUBLISH;
  }

  /** Stage, publish and their reversals. */
  public boolean isNodeWork() {
    return this == NODE_STAGE
        || this == NODE_UNSTAGE
        || this == NODE_PUBLISH
        || this == NODE_UNPUBLISH;
  }

  /** Whether the call changes something at the provider or on the node. */
  public boolean changesState() {
    return isControllerWork() || isNodeWork();
  }

  /**
   * Whether the call only asks who the plugin is, what it can do and what it has. Callers repeat
   * these for as long as they run, whether or not anything is done.
   */
  public boolean isEnquiry() {
    return !changesState();
  }

  /**
   * The RPC of a symbol or a CSI name.
   *
   * @throws IllegalArgumentException for any other text, naming what is possible
   */
  public static Rpc parse(String text) {
    return find(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no such RPC: '%s'; use one of %s"
                        .formatted(
                            text,
                            Arrays.stream(values())
                                .map(Rpc::symbol)
                                .collect(Collectors.joining(", ")))));
  }

  private static Optional<Rpc> find(String text) {
    return Arrays.stream(values())
        .filter(rpc -> rpc.symbol.equals(text) || rpc.csiName.equals(text))
        .findFirst();
  }
}
