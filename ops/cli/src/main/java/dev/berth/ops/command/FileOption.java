package dev.berth.ops.command;

import dev.berth.producers.files.FileProblem;
import dev.berth.producers.files.InvalidFileException;
import dev.berth.producers.files.Located;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The files of commands that send what files hold. */
final class FileOption {

  private static final String STANDARD_INPUT = "-";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "YAML or JSON, - for standard input; may be repeated.")
  private List<String> files = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private final InputStream standardInput;

  /** For a command of this process. */
  FileOption() {
    this(System.in);
  }

  FileOption(InputStream standardInput) {
    this.standardInput = standardInput;
  }

  /** Whether a file was given. */
  boolean given() {
    return !files.isEmpty();
  }

  /**
   * Reads all files.
   *
   * @param parser takes a file's name and content
   * @throws InvalidInputException with all that is wrong in any of them
   * @throws ParameterException when there is no such file, or it cannot be read
   */
  <T> List<Located<T>> read(BiFunction<String, String, List<Located<T>>> parser)
      throws InvalidInputException {
    if (new HashSet<>(files).size() < files.size()) {
      throw usage("--file: " + String.join(", ", files) + " names a file twice");
    }
    List<Located<T>> records = new ArrayList<>();
    List<FileProblem> problems = new ArrayList<>();
    for (String file : files) {
      String name = file.equals(STANDARD_INPUT) ? "<stdin>" : file;
      try {
        records.addAll(parser.apply(name, text(file)));
      } catch (InvalidFileException e) {
        problems.addAll(e.problems());
      } catch (NoTextException e) {
        problems.add(new FileProblem(name, e.line, "is not UTF-8 text: convert it"));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidInputException(problems);
    }
    return records;
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    if (command == null) {
      throw new IllegalStateException("not mixed into a command: " + message);
    }
    return new ParameterException(command.commandLine(), message);
  }

  private String text(String file) throws NoTextException {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(file));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      // It has stopped at the first byte that it could not take.
      int line = 1;
      for (int i = 0; i < bytes.position(); i++) {
        line += bytes.get(i) == '\n' ? 1 : 0;
      }
      throw new NoTextException(line, e);
    }
  }

  /** A file that is no text, and the line of its first byte that is none. */
  private static final class NoTextException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int line;

    NoTextException(int line, CharacterCodingException cause) {
      super(cause);
      this.line = line;
    }
  }

  private byte[] bytes(String file) {
    try {
      return file.equals(STANDARD_INPUT)
          ? standardInput.readAllBytes()
          : Files.readAllBytes(Path.of(file));
    } catch (NoSuchFileException e) {
      throw usage("--file: there is no file " + file);
    } catch (IOException e) {
      throw usage("--file: " + file + " cannot be read: " + e.getMessage());
    }
  }
}
