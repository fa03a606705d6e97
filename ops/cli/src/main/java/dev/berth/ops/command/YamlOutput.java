package dev.berth.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** A JSON document as YAML. */
final class YamlOutput {
  private YamlOutput() {}

  static String text(JsonNode document) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    Object plain = JsonOutput.mapper().convertValue(document, Object.class);
    return new Yaml(options).dump(plain).stripTrailing();
  }
}
