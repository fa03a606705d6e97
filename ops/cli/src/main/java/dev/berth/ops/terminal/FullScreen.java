package dev.berth.ops.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The whole of a terminal, on its other screen, so that what was there before is there again
 * afterwards, also after Ctrl-C. Thread-safe in that it is left once.
 */
public final class FullScreen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private final PrintStream out;
  private final AtomicBoolean left = new AtomicBoolean();
  private final Thread hook = new Thread(this::leave, "leave-screen");

  private FullScreen(PrintStream out) {
    this.out = out;
  }

  /**
   * How large a terminal is.
   *
   * @param rows lines (count)
   * @param columns characters of a line (count)
   */
  public record Size(int rows, int columns) {
    /** What is taken where no terminal tells it. */
    public static final Size USUAL = new Size(24, 80);

    /** Reads what {@code stty size} prints. */
    static Size parse(String text) {
      String[] parts = text.strip().split(" ", -1);
      try {
        return parts.length == 2 && Integer.parseInt(parts[0]) > 0 && Integer.parseInt(parts[1]) > 0
            ? new Size(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]))
            : USUAL;
      } catch (NumberFormatException e) {
        return USUAL;
      }
    }
  }

  /** Takes the terminal of standard output. */
  public static FullScreen enter(Terminal terminal) {
    FullScreen screen = new FullScreen(terminal.out());
    Runtime.getRuntime().addShutdownHook(screen.hook);
    screen.out.print(ENTER);
    return screen;
  }

  /** How large it is now: windows are resized. A JVM cannot ask itself. */
  public static Size size() {
    Path tty = Path.of("/dev/tty");
    if (!Files.isReadable(tty)) {
      return Size.USUAL;
    }
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(tty.toFile()).start();
      try (InputStream said = stty.getInputStream()) {
        return Size.parse(new String(said.readAllBytes(), StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      return Size.USUAL;
    }
  }

  /** Shows lines in the place of all that was shown; those that do not fit are left out. */
  public void show(List<String> lines, Size size) {
    StringBuilder text = new StringBuilder(HOME);
    int shown = Math.min(lines.size(), size.rows());
    for (int i = 0; i < shown; i++) {
      String line = lines.get(i);
      text.append(line, 0, Math.min(line.length(), size.columns())).append(REST_OF_LINE);
      // A line end on the last line would scroll.
      text.append(i + 1 < shown ? "\n" : "");
    }
    out.print(text.append(REST_OF_SCREEN));
    out.flush();
  }

  @Override
  public void close() {
    leave();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and the hook runs or has run.
      return;
    }
  }

  private void leave() {
    if (left.compareAndSet(false, true)) {
      out.print(LEAVE);
      out.flush();
    }
  }
}
