package dev.berth.bench.table;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Tapes what is asked of a store and written to it.
 *
 * @param store the store, with keys that are texts and rows that are bytes
 * @param tape where to
 */
record TapedStore(KeyValueStore<?, ?> store, Tape tape) implements InvocationHandler {
  /** Ways to the rows that no processor goes: what is not taped must not be overlooked. */
  private static final Set<String> OTHERS =
      Set.of("prefixScan", "all", "reverseRange", "reverseAll", "putAll", "putIfAbsent", "delete");

  /** What stands between a caller and what it calls. */
  static Object between(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(
        TapedStore.class.getClassLoader(), new Class<?>[] {type}, handler);
  }

  /** Calls what stands behind. */
  static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (OTHERS.contains(name)) {
      throw new UnsupportedOperationException("not taped: " + name + " of a store");
    }
    Object result = call(store, method, arguments);
    if (arguments == null || arguments.length == 0) {
      return result;
    }
    String key = String.valueOf(arguments[0]);
    return switch (name) {
      case "get" -> {
        tape.add(new Tape.Touch(Tape.Kind.GET, key, null, 0, null, null, null));
        yield result;
      }
      case "put" -> {
        byte[] row = (byte[]) arguments[1];
        tape.add(new Tape.Touch(Tape.Kind.PUT, key, null, 0, row, null, null));
        yield result;
      }
      case "range" -> counting(key, String.valueOf(arguments[1]), result);
      default -> result;
    };
  }

  @SuppressWarnings("unchecked")
  private Counting counting(String from, String to, @Nullable Object rows) {
    if (rows == null) {
      throw new IllegalStateException("a range without an iterator");
    }
    return new Counting(from, to, tape, (KeyValueIterator<String, byte[]>) rows);
  }

  /** Counts the rows that are taken of a range, and notes them at its end. */
  private static final class Counting implements KeyValueIterator<String, byte[]> {
    private final String from;
    private final String to;
    private final Tape tape;
    private final KeyValueIterator<String, byte[]> rows;
    private int taken;

    Counting(String from, String to, Tape tape, KeyValueIterator<String, byte[]> rows) {
      this.from = from;
      this.to = to;
      this.tape = tape;
      this.rows = rows;
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public KeyValue<String, byte[]> next() {
      taken++;
      return rows.next();
    }

    @Override
    public String peekNextKey() {
      return rows.peekNextKey();
    }

    @Override
    public void close() {
      rows.close();
      tape.add(new Tape.Touch(Tape.Kind.RANGE, from, to, taken, null, null, null));
    }
  }
}
