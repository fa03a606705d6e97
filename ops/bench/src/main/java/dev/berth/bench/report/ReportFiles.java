package dev.berth.bench.report;

import dev.berth.ops.command.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A report as files: {@code REPORT.md}, {@code report.json} and the plots beside them. */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Writes it, over what an earlier run left there.
   *
   * @param folder made when it is missing
   * @throws IOException naming the file that cannot be written
   */
  public static void write(Report report, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("REPORT.md"), ReportMarkdown.of(report));
    Files.writeString(
        folder.resolve("report.json"),
        JsonOutput.text(ReportJson.of(report, JsonOutput.mapper())) + "\n");
    for (Section section : report.sections()) {
      for (Plot plot : section.plots()) {
        Files.writeString(folder.resolve(plot.file()), SvgPlot.of(plot));
      }
    }
  }
}
