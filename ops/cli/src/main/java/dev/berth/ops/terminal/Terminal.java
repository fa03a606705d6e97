package dev.berth.ops.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;

/**
 * Where a command writes to: results to {@link #out}, progress and complaints to {@link #err}.
 *
 * @param out results
 * @param err progress and errors
 * @param colour whether {@code out} may hold colours
 * @param live whether {@code err} shows a line that is rewritten
 * @param width columns of {@code err}
 */
public record Terminal(PrintStream out, PrintStream err, boolean colour, boolean live, int width) {

  /** Set by the script when standard output is a terminal, which a JVM cannot ask. */
  static final String OUT_IS_TERMINAL = "berth.terminal.out";

  /** Set by the script to the columns of standard error when that is a terminal. */
  static final String COLUMNS_OF_ERR = "berth.terminal.err";

  private static final int USUAL_WIDTH = 80;

  /** The process's own, colourless where {@code NO_COLOR} is set (see no-color.org). */
  public static Terminal system() {
    return of(
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        System.getProperties(),
        System.getenv());
  }

  static Terminal of(
      PrintStream out, PrintStream err, Properties properties, Map<String, String> environment) {
    boolean outIsTerminal = Boolean.parseBoolean(properties.getProperty(OUT_IS_TERMINAL));
    String columns = properties.getProperty(COLUMNS_OF_ERR, "");
    boolean dumb = "dumb".equals(environment.get("TERM"));
    boolean noColour = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Terminal(
        out, err, outIsTerminal && !noColour && !dumb, !columns.isEmpty() && !dumb, width(columns));
  }

  /** Streams without terminal, for output that is kept. */
  public static Terminal plain(PrintStream out, PrintStream err) {
    return new Terminal(out, err, false, false, USUAL_WIDTH);
  }

  /** The text in bold, where colours are shown. */
  public String bold(String text) {
    return styled("1", text);
  }

  /** The text in the colour of success, where colours are shown. */
  public String good(String text) {
    return styled("32", text);
  }

  /** The text in the colour of failure, where colours are shown. */
  public String bad(String text) {
    return styled("31", text);
  }

  private String styled(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  private static int width(String columns) {
    try {
      int width = Integer.parseInt(columns);
      return width > 0 ? width : USUAL_WIDTH;
    } catch (NumberFormatException e) {
      return USUAL_WIDTH;
    }
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    // What the locale says; a C locale still gets UTF-8, which terminals of today show.
    Charset native_ = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
    Charset charset = native_.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : native_;
    return new PrintStream(new FileOutputStream(descriptor), true, charset);
  }
}
