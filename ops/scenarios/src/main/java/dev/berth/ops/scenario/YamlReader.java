package dev.berth.ops.scenario;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads YAML into {@link Value}s, keeping lines, refusing duplicate fields. */
final class YamlReader {
  private final String file;

  private YamlReader(String file) {
    this.file = file;
  }

  static Value.Fields read(String file, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setMaxAliasesForCollections(0);
    try {
      Node root = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
      if (root == null) {
        throw new ScenarioException(file, 1, "the file is empty");
      }
      return new YamlReader(file).value(root).asFields();
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new ScenarioException(file, line, "this is not YAML: " + e.getProblem());
    }
  }

  private Value value(Node node) {
    Value.Place place = new Value.Place(file, node.getStartMark().getLine() + 1);
    if (node instanceof ScalarNode scalar) {
      boolean none = scalar.getTag().equals(org.yaml.snakeyaml.nodes.Tag.NULL);
      return new Value.Text(place, none ? "" : scalar.getValue());
    }
    if (node instanceof SequenceNode sequence) {
      List<Value> items = new ArrayList<>();
      sequence.getValue().forEach(item -> items.add(value(item)));
      return new Value.Items(place, items);
    }
    Map<String, Value> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      String name = ((ScalarNode) tuple.getKeyNode()).getValue();
      if (fields.put(name, value(tuple.getValueNode())) != null) {
        throw place.problem("field '" + name + "' stands twice");
      }
    }
    return new Value.Fields(place, fields);
  }
}
