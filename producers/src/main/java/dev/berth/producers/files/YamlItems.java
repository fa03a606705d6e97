package dev.berth.producers.files;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Finds the records of a file. Each of its documents is one record or a list of records. JSON is
 * read as the YAML it is.
 */
final class YamlItems {

  /** A file of a hundred thousand volumes has some 50 MB (characters). */
  private static final int LONGEST = 200_000_000;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /**
   * What the parser says in words of its own. All else may quote the file, and nobody knows yet
   * whether that is a secret.
   */
  private static final Pattern OWN_WORDS =
      Pattern.compile(
          "(mapping values|mapping keys|sequence entries) are not allowed here"
              + "|could not find expected ':'"
              + "|found unexpected (end of stream|document separator)"
              + "|expected (the node content|<block end>|',' or '\\}'|',' or '\\]'),"
              + " but (found|got) '?<[a-z ]+>'?");

  private YamlItems() {}

  static List<MappingNode> read(String text, Problems problems) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LONGEST);
    List<MappingNode> items = new ArrayList<>();
    String unmarked = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    try {
      Yaml yaml = new Yaml(new SafeConstructor(options));
      for (Node document : yaml.composeAll(new StringReader(asYaml(unmarked)))) {
        add(document, items, problems);
      }
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark();
      problems.add(line(mark), "not YAML or JSON: " + words(e.getProblem()) + column(mark));
    } catch (ReaderException e) {
      problems.add(
          lineAt(unmarked, e.getPosition()),
          "not YAML or JSON: holds a control character; take it out");
    } catch (YAMLException e) {
      problems.add(1, "not YAML or JSON: " + e.getMessage());
    }
    return items;
  }

  static int line(Node node) {
    return line(node.getStartMark());
  }

  private static int line(Mark mark) {
    return mark == null ? 1 : mark.getLine() + 1;
  }

  private static int lineAt(String text, int position) {
    return 1 + (int) text.codePoints().limit(position).filter(c -> c == '\n').count();
  }

  /** The parser's problem without any text of the file. */
  private static String words(String problem) {
    if (OWN_WORDS.matcher(problem).matches()) {
      return problem;
    }
    if (problem.contains("(TAB)")) {
      return "a tab cannot indent here; use spaces";
    }
    if (problem.startsWith("found undefined alias")) {
      return "this alias (*) has no anchor (&) before it; put quotes around a value that begins"
          + " with *";
    }
    if (problem.contains(" tag ")) {
      return "this tag (!) cannot be used; put quotes around a value that begins with !";
    }
    return "cannot be read here; put quotes around a value with special characters";
  }

  private static String column(Mark mark) {
    return mark == null ? "" : " (column " + (mark.getColumn() + 1) + ")";
  }

  private static void add(Node node, List<MappingNode> items, Problems problems) {
    if (node instanceof MappingNode mapping) {
      items.add(mapping);
    } else if (node instanceof SequenceNode sequence) {
      for (Node item : sequence.getValue()) {
        if (item instanceof MappingNode mapping) {
          items.add(mapping);
        } else {
          problems.add(line(item), "this item of the list is no record: write its fields");
        }
      }
    } else if (!node.getTag().equals(Tag.NULL)) {
      problems.add(line(node), "this is no record: write fields, or a list of records");
    }
  }

  /**
   * JSON may be indented with tabs and may escape slashes, YAML may not. Lines stay as they are.
   */
  private static String asYaml(String text) {
    String stripped = text.stripLeading();
    if (!stripped.startsWith("{") && !stripped.startsWith("[")) {
      return text;
    }
    StringBuilder yaml = new StringBuilder(text.length());
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\' && i + 1 < text.length()) {
        i++;
        char escaped = text.charAt(i);
        yaml.append(escaped == '/' ? "/" : "\\" + escaped);
      } else {
        quoted ^= c == '"';
        yaml.append(c == '\t' && !quoted ? ' ' : c);
      }
    }
    return yaml.toString();
  }
}
