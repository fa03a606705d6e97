package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth session close}. */
@Command(
    name = "close",
    description = {
      "Ends all your sessions, and one-time tokens that nobody has used.",
      "Browsers that have one are not known from then on. Your own token stays."
    },
    footer = {"", "Example:", "  berth session close"})
final class SessionCloseCommand implements Callable<Integer> {

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final ApiOptions api = new ApiOptions();

  private final Terminal terminal;

  SessionCloseCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    CloseSessionRequest request = CloseSessionRequest.newBuilder().setAll(true).build();
    CloseSessionResponse closed =
        api.ask(terminal, client -> client.ask(stub -> stub.closeSession(request)));
    output.print(
        terminal,
        () -> MessageJson.of(closed),
        () -> List.of("Ended so many sessions and one-time tokens: " + closed.getClosed()));
    return ExitCode.OK;
  }
}
