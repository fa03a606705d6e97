package dev.berth.producers.files;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads a file of records of one kind. */
final class Records {

  private Records() {}

  /**
   * Reads all of them, or none when anything is wrong.
   *
   * @param reader reads a record's fields
   * @param subjects what only one record of a file may be about, in words
   * @throws InvalidFileException with all that is wrong
   */
  static <T> List<Located<T>> read(
      String file, String text, Function<Fields, T> reader, Function<T, List<String>> subjects) {
    Problems problems = new Problems(file);
    List<Located<T>> records = new ArrayList<>();
    Map<String, Integer> first = new HashMap<>();
    for (var item : YamlItems.read(text, problems)) {
      int wrong = problems.count();
      Fields fields = new Fields(item, problems);
      T record = reader.apply(fields);
      fields.done();
      if (problems.count() == wrong) {
        once(subjects.apply(record), fields.line(), first, problems);
      }
      records.add(new Located<>(file, fields.line(), record));
    }
    problems.throwIfAny();
    if (records.isEmpty()) {
      problems.add(1, "holds no record: write its fields, or a list of records");
      problems.throwIfAny();
    }
    return records;
  }

  /** Of what stands there twice, the first is told: the rest follows from it. */
  private static void once(
      List<String> subjects, int line, Map<String, Integer> first, Problems problems) {
    for (String about : subjects) {
      Integer before = first.putIfAbsent(about, line);
      if (before != null) {
        problems.add(line, about + " stands in line " + before + " already; take one out");
        return;
      }
    }
  }
}
