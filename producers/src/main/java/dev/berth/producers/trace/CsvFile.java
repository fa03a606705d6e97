package dev.berth.producers.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A CSV file with a line of column names. Columns are found by their names; those that nobody asks
 * for are passed over, and so are empty lines.
 */
final class CsvFile {

  private static final CsvFactory FACTORY =
      CsvFactory.builder()
          .enable(CsvParser.Feature.SKIP_EMPTY_LINES)
          .enable(CsvParser.Feature.TRIM_SPACES)
          .build();

  private final String name;
  private final byte[] bytes;

  /**
   * A file.
   *
   * @param name how messages call it
   * @param bytes its content; not copied
   */
  CsvFile(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  static CsvFile at(Path path) {
    try {
      return new CsvFile(path.toString(), Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      throw new TraceFileException(path.toString(), "does not exist; give another path", e);
    } catch (IOException e) {
      throw new TraceFileException(path.toString(), "cannot be read: " + e, e);
    }
  }

  /** A file that is part of this library. */
  static CsvFile resource(String name) {
    try (InputStream in = CsvFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing");
      }
      return new CsvFile(name, in.readAllBytes());
    } catch (IOException e) {
      throw new TraceFileException(name, "cannot be read: " + e, e);
    }
  }

  String name() {
    return name;
  }

  /** Tells the content from any other. */
  String fingerprint() {
    return Fingerprint.of(bytes);
  }

  /**
   * Reads all rows.
   *
   * @param columns names that must be there
   * @throws TraceFileException when one is missing, or a row cannot be used
   */
  <T> List<T> rows(List<String> columns, Function<Row, T> reading) {
    List<T> rows = new ArrayList<>();
    try (CsvParser parser = FACTORY.createParser(bytes)) {
      if (parser.nextToken() == null) {
        throw new TraceFileException(name, "is empty; its first line must name the columns");
      }
      Map<String, Integer> positions = positions(columns, values(parser).values());
      while (parser.nextToken() != null) {
        Line line = values(parser);
        requireWidth(positions.size(), line);
        rows.add(reading.apply(new Row(name, line.number(), positions, line.values())));
      }
      return rows;
    } catch (JsonProcessingException e) {
      throw new TraceFileException(
          name, e.getLocation().getLineNr(), "is no CSV: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new TraceFileException(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads all rows, of a file that is of no use without any.
   *
   * @param what what a row is
   * @throws TraceFileException also when there is no row
   */
  <T> List<T> someRows(String what, List<String> columns, Function<Row, T> reading) {
    List<T> rows = rows(columns, reading);
    if (rows.isEmpty()) {
      throw new TraceFileException(name, "holds no %s; give one line for each".formatted(what));
    }
    return rows;
  }

  private record Line(long number, List<String> values) {}

  /** The values up to the end of the line whose beginning the parser is at. */
  private static Line values(CsvParser parser) throws IOException {
    List<String> values = new ArrayList<>();
    long number = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (values.isEmpty()) {
        number = parser.currentTokenLocation().getLineNr();
      }
      values.add(parser.getText());
    }
    return new Line(number, values);
  }

  private Map<String, Integer> positions(List<String> wanted, List<String> header) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < header.size(); i++) {
      if (positions.put(header.get(i), i) != null) {
        throw new TraceFileException(name, 1, "column", header.get(i), "stands there twice");
      }
    }
    for (String column : wanted) {
      if (!positions.containsKey(column)) {
        throw new TraceFileException(
            name,
            1,
            "columns",
            String.join(",", header),
            "there is no column '"
                + column
                + "'; the first line must name the columns, in any order");
      }
    }
    return positions;
  }

  private void requireWidth(int wanted, Line line) {
    if (line.values().size() != wanted) {
      throw new TraceFileException(
          name,
          line.number(),
          "columns",
          Integer.toString(line.values().size()),
          "the first line names %d; give every line as many".formatted(wanted));
    }
  }

  /** One line. */
  record Row(String file, long line, Map<String, Integer> positions, List<String> values) {

    /** The value of a column that {@link #rows} was asked for; empty where the file has none. */
    String text(String column) {
      Integer position = positions.get(column);
      if (position == null) {
        throw new IllegalStateException("column " + column + " was not asked for");
      }
      return values.get(position);
    }

    /** A text that must be there. */
    String required(String column) {
      String text = text(column);
      if (text.isEmpty()) {
        throw wrong(column, "is empty; give a value");
      }
      return text;
    }

    /** A whole number, not negative. */
    long number(String column) {
      long number;
      try {
        number = Long.parseLong(text(column));
      } catch (NumberFormatException e) {
        throw wrong(column, "is no whole number; give digits only");
      }
      if (number < 0) {
        throw wrong(column, "is negative; give 0 or more");
      }
      return number;
    }

    /** The error about a value of this line. */
    TraceFileException wrong(String column, String remedy) {
      return new TraceFileException(file, line, column, text(column), remedy);
    }
  }
}
