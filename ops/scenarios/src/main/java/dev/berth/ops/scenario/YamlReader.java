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
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads YAML into {@link Value}s, keeping lines, refusing what would be read in two ways. */
final class YamlReader {
  private final String file;

  private YamlReader(String file) {
    this.file = file;
  }

  static Value.Fields read(String file, String text) {
    LoaderOptions options = new LoaderOptions();
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
    } catch (ReaderException e) {
      int line = 1 + (int) text.codePoints().limit(e.getPosition()).filter(c -> c == '\n').count();
      throw new ScenarioException(
          file, line, "this is not YAML: U+%04X cannot be read".formatted(e.getCodePoint()));
    } catch (YAMLException e) {
      throw new ScenarioException(file, 1, "this is not YAML: " + e.getMessage());
    }
  }

  private Value value(Node node) {
    Value.Place place = place(node);
    if (!node.getTag().startsWith(Tag.PREFIX)) {
      throw place.problem("the tag " + node.getTag() + " means nothing here: leave it out");
    }
    if (node instanceof ScalarNode scalar) {
      return new Value.Text(place, scalar.getTag().equals(Tag.NULL) ? "" : scalar.getValue());
    }
    if (node instanceof SequenceNode sequence) {
      List<Value> items = new ArrayList<>();
      sequence.getValue().forEach(item -> items.add(value(item)));
      return new Value.Items(place, items);
    }
    return fields(place, (MappingNode) node);
  }

  private Value.Fields fields(Value.Place place, MappingNode node) {
    Map<String, Value> fields = new LinkedHashMap<>();
    Map<String, Value.Place> keys = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      Value.Place key = place(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw key.problem("the name of a field is a single value");
      }
      if (fields.put(name.getValue(), value(tuple.getValueNode())) != null) {
        throw key.problem("field '" + name.getValue() + "' stands twice");
      }
      keys.put(name.getValue(), key);
    }
    return new Value.Fields(place, fields, keys);
  }

  private Value.Place place(Node node) {
    return new Value.Place(file, node.getStartMark().getLine() + 1);
  }
}
