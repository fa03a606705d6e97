package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.OpenSessionResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth session open}. */
@Command(
    name = "open",
    description = {
      "Prints a one-time token, which a browser gives for a session.",
      "The token works once and for a minute, the session for 15 minutes. Your own",
      "token stays here: it must not get into a browser. Without --role the session",
      "may read, without --namespace it has all of your namespaces."
    },
    footer = {
      "",
      "Examples:",
      "  berth session open",
      "  berth session open --role operate --namespace prod,batch -o json"
    })
final class SessionOpenCommand implements Callable<Integer> {

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "read",
      description = "read, operate or admin, no more than you have (default: read).")
  private String role = "read";

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      split = ",",
      description = "Only these of your namespaces.")
  private List<String> namespaces = new ArrayList<>();

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final ApiOptions api = new ApiOptions();

  private final Terminal terminal;

  SessionOpenCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    OpenSessionRequest request =
        OpenSessionRequest.newBuilder().setRole(role).addAllNamespaces(namespaces).build();
    OpenSessionResponse opened =
        api.ask(terminal, client -> client.ask(stub -> stub.openSession(request)));
    output.print(terminal, () -> MessageJson.of(opened), () -> List.of(opened.getOneTimeToken()));
    if (output.forPeople()) {
      // Beside the token, so that the token alone can be handed on.
      terminal
          .err()
          .printf(
              "berth: give it where a session is asked for, until %s; it works once, is in no log and"
                  + " is not shown again%n",
              Instant.ofEpochSecond(opened.getExpiresAt().getSeconds()));
    }
    return ExitCode.OK;
  }
}
