package dev.berth.ops.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands that only hold others. */
final class Groups {

  private Groups() {}

  /** {@code berth volume}. */
  @Command(
      name = "volume",
      description = "Shows, registers and deregisters volumes.",
      footer = {
        "",
        "Examples:",
        "  berth volume status prod/db",
        "  berth volume register -f volumes.yaml",
        "  berth volume deregister prod/db"
      })
  static final class Volume extends Group {}

  /** {@code berth node}. */
  @Command(
      name = "node",
      description = "Shows nodes and their slots, and says what a scheduler knows of them.",
      footer = {
        "",
        "Examples:",
        "  berth node list",
        "  berth node apply --scheduler east -f nodes.yaml"
      })
  static final class Node extends Group {}

  /** {@code berth plugin}. */
  @Command(
      name = "plugin",
      description = "Shows, pauses and resumes plugins, and writes down their instances.",
      footer = {
        "",
        "Examples:",
        "  berth plugin list",
        "  berth plugin apply -f plugins.yaml",
        "  berth plugin remove ebs/node@n1"
      })
  static final class Plugin extends Group {}

  /** {@code berth claim}. */
  @Command(
      name = "claim",
      description = "Shows claims, and why they are where they are.",
      footer = {"", "Example:", "  berth claim list --node n1"})
  static final class Claim extends Group {}

  /** {@code berth stuck}. */
  @Command(
      name = "stuck",
      description = "Shows the claims that need an operator, and frees them.",
      footer = {"", "Examples:", "  berth stuck list", "  berth stuck show prod/db"})
  static final class Stuck extends Group {}

  /** {@code berth lane}. */
  @Command(
      name = "lane",
      description = "Shows the lanes in which the calls of plugins go out.",
      footer = {"", "Example:", "  berth lane list"})
  static final class Lane extends Group {}

  /** {@code berth attachment}. */
  @Command(
      name = "attachment",
      description = "Shows which volume is attached to which node.",
      footer = {"", "Example:", "  berth attachment list --node n1"})
  static final class Attachment extends Group {}

  /** {@code berth policy}. */
  @Command(
      name = "policy",
      description = "Shows and sets policies: timeouts, retries, what a lost node means.",
      footer = {
        "",
        "Examples:",
        "  berth policy list",
        "  berth policy set plugin/ebs rpc-timeout=5m --reason \"slow region\""
      })
  static final class Policy extends Group {}

  /** {@code berth session}. */
  @Command(
      name = "session",
      description = "Opens sessions of the API for browsers, and ends them.",
      footer = {"", "Examples:", "  berth session open", "  berth session close"})
  static final class Session extends Group {}

  /** {@code berth feed}. */
  @Command(
      name = "feed",
      description = "Says events as a scheduler: from JSON lines, or from a cluster trace.",
      footer = {
        "",
        "Examples:",
        "  berth feed events events.jsonl --scheduler east",
        "  berth feed trace --dry-run"
      })
  static final class Feed extends Group {}

  /** {@code berth scenario}. */
  @Command(
      name = "scenario",
      description = "Runs and records scenario files, and looks for what none shows.",
      footer = {
        "",
        "Examples:",
        "  berth scenario run",
        "  berth scenario run incident.yaml",
        "  berth scenario explore",
        "  berth scenario record --volume default/db --from 2h --out incident.yaml"
      })
  static final class Scenario extends Group {}

  /** Does nothing by itself. */
  abstract static class Group implements Runnable {

    @Spec private CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(
          spec.commandLine(),
          "Missing command: give one of " + String.join(", ", spec.subcommands().keySet()));
    }
  }
}
