package dev.berth.ops.chaos;

import dev.berth.ops.lives.Lifeline;
import dev.berth.ops.logging.LogFile;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs a product's own main class ({@code ChildMain LOG CLASS ARGUMENT…}) for as long as the
 * process that started it lives: that one keeps our standard input open.
 */
public final class ChildMain {

  private static final int CUT = 3;

  private ChildMain() {}

  /** See the class. */
  public static void main(String[] args) throws ReflectiveOperationException {
    LogFile.open(Path.of(args[0]), false);
    Lifeline.hold(System.in, () -> Runtime.getRuntime().halt(CUT));
    try {
      Class.forName(args[1])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(args[1] + " failed", e.getCause());
    }
  }
}
