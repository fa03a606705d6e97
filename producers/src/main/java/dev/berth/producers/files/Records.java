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
   * @param subject what a record is about, in words; two records about the same are wrong
   * @throws InvalidFileException with all that is wrong
   */
  static <T> List<Located<T>> read(
      String file, String text, Function<Fields, T> reader, Function<T, String> subject) {
    Problems problems = new Problems(file);
    List<Located<T>> records = new ArrayList<>();
    Map<String, Integer> first = new HashMap<>();
    for (var item : YamlItems.read(text, problems)) {
      int wrong = problems.count();
      Fields fields = new Fields(item, problems);
      T record = reader.apply(fields);
      fields.done();
      if (problems.count() == wrong) {
        String about = subject.apply(record);
        Integer before = first.putIfAbsent(about, fields.line());
        if (before != null) {
          problems.add(
              fields.line(), about + " stands in line " + before + " already; take one out");
        }
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
}
