package dev.berth.bench.command;

import dev.berth.ops.command.OutputFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long a bench runs, and where its report goes. */
final class RunOptions {
  @Option(
      names = "--quick",
      description = "A short run, which shows that it works; its figures say little.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes REPORT.md, report.json and plots there as well.")
  private @Nullable Path out;

  @Option(names = "--goals", description = "Exits 1 when a goal is missed.")
  private boolean goals;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private OutputFormat output = OutputFormat.TEXT;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  boolean quick() {
    return quick;
  }

  boolean goals() {
    return goals;
  }

  boolean json() {
    return output == OutputFormat.JSON;
  }

  /**
   * Where files go; null when nowhere.
   *
   * @throws ParameterException when they cannot go there: known before hours of measuring
   */
  @Nullable Path out() {
    if (out != null && Files.exists(out) && !Files.isDirectory(out) && command != null) {
      throw new ParameterException(
          command.commandLine(), "--out: " + out + " is a file: name a folder");
    }
    return out;
  }
}
