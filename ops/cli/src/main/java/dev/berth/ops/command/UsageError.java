package dev.berth.ops.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, for the person who wrote it. */
final class UsageError {

  private UsageError() {}

  /** One line: what cannot be understood, and what may have been meant. */
  static String describe(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      // The library puts that before some of its messages; ours begin with who complains.
      return String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
    }
    CommandSpec command = e.getCommandLine().getCommandSpec();
    String kind =
        unmatched.isUnknownOption()
            ? "unknown option"
            : command.subcommands().isEmpty() ? "unexpected argument" : "unknown command";
    List<String> meant = unmatched.getSuggestions();
    return "%s '%s'%s"
        .formatted(
            kind,
            unmatched.getUnmatched().get(0),
            meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?");
  }
}
