package dev.berth.ops.scenario;

import dev.berth.records.RpcCode;
import java.util.Map;

/**
 * What a plugin answers to an RPC.
 *
 * @param code the gRPC code
 * @param message the text that goes with it
 * @param context the publish context
 * @param done whether the plugin did what it was asked
 * @param neverArrived whether the RPC never reached the plugin; the rest but the text says nothing
 */
record PluginAnswer(
    RpcCode code, String message, Map<String, String> context, boolean done, boolean neverArrived) {

  /** As the fields of a step {@code answer} say. */
  static PluginAnswer of(Value.Fields f) {
    RpcCode code = f.find("with").map(ScriptedPlugin::code).orElse(RpcCode.OK);
    boolean done = f.flag("effect", code == RpcCode.OK);
    return new PluginAnswer(
        code,
        f.text("message", ""),
        f.find("context").map(Value::asTexts).orElse(Map.of()),
        done,
        code == RpcCode.UNAVAILABLE && f.find("effect").isPresent() && !done);
  }
}
