package dev.berth.ops.explore;

import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a decider's tables, immutable and sorted. Copies share their rows, and both know
 * their hash: millions of them are made, kept and compared.
 */
final class Rows implements State {
  static final Rows NONE = new Rows(new Row[0]);

  private final Row[] rows;
  private final int hash;

  private Rows(Row[] rows) {
    this.rows = rows;
    hash = Arrays.hashCode(rows);
  }

  /** One row of one table. */
  static final class Row {
    private final Table<?> table;
    private final String key;
    private final Object value;
    private final int hash;

    Row(Table<?> table, String key, Object value) {
      this.table = table;
      this.key = key;
      this.value = value;
      hash = (table.name().hashCode() * 31 + key.hashCode()) * 31 + value.hashCode();
    }

    Table<?> table() {
      return table;
    }

    String key() {
      return key;
    }

    Object value() {
      return value;
    }

    private int compareTo(String otherTable, String otherKey) {
      // Mostly the same text, of which equality is seen at once and order only at its end.
      return table.name().equals(otherTable)
          ? key.compareTo(otherKey)
          : table.name().compareTo(otherTable);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof Row that
              && hash == that.hash
              && key.equals(that.key)
              && table.name().equals(that.table.name())
              && value.equals(that.value));
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public String toString() {
      return table.name() + " " + key + " = " + value;
    }
  }

  /** Rows in any order; no two of the same key. */
  static Rows of(List<Row> rows) {
    Row[] sorted = rows.toArray(Row[]::new);
    Arrays.sort(sorted, (a, b) -> a.compareTo(b.table.name(), b.key));
    return new Rows(sorted);
  }

  /** Every row, by table and key. */
  List<Row> all() {
    return Arrays.asList(rows);
  }

  /** The rows after some changes. */
  Rows with(List<Change> changes) {
    if (changes.isEmpty()) {
      return this;
    }
    List<Row> changed = new ArrayList<>(all());
    for (Change change : changes) {
      int at = find(changed, change.table().name(), change.key());
      if (change instanceof Change.Put<?> put) {
        Row row = new Row(put.table(), put.key(), put.value());
        if (at >= 0) {
          changed.set(at, row);
        } else {
          changed.add(-at - 1, row);
        }
      } else if (at >= 0) {
        changed.remove(at);
      }
    }
    return new Rows(changed.toArray(Row[]::new));
  }

  /** The values of a table, in the order of their keys. */
  <V> List<V> values(Table<V> table) {
    return scan(table, "").stream().map(Entry::value).toList();
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    int at = find(all(), table.name(), key);
    return at < 0 ? null : table.type().cast(rows[at].value);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    List<Entry<V>> found = new ArrayList<>();
    for (int i = from(table, prefix); within(i, table, prefix); i++) {
      found.add(new Entry<>(rows[i].key, table.type().cast(rows[i].value)));
    }
    return found;
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    int at = from(table, from);
    return within(at, table, prefix)
        ? new Entry<>(rows[at].key, table.type().cast(rows[at].value))
        : null;
  }

  private int from(Table<?> table, String key) {
    int at = find(all(), table.name(), key);
    return at < 0 ? -at - 1 : at;
  }

  private boolean within(int at, Table<?> table, String prefix) {
    return at < rows.length
        && rows[at].table.name().equals(table.name())
        && rows[at].key.startsWith(prefix);
  }

  private static int find(List<Row> sorted, String table, String key) {
    int low = 0;
    int high = sorted.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = sorted.get(middle).compareTo(table, key);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Rows that && hash == that.hash && Arrays.equals(rows, that.rows));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(rows);
  }
}
