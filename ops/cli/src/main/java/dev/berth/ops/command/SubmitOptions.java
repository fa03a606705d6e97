package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Mixin;

/** What all commands have in common that are submitted through the API. */
final class SubmitOptions {

  @Mixin private final ApiOptions api = new ApiOptions();
  @Mixin private final AuthorOptions author = new AuthorOptions();

  @Mixin private final OutputOption output = new OutputOption();

  /**
   * A command that is asked for.
   *
   * @param subject what it is about
   * @param request the command, without its id and author
   */
  record Asked(String subject, SubmitCommandRequest request) {}

  ApiOptions api() {
    return api;
  }

  ViewFormat output() {
    return output.format();
  }

  /** Why, as it was given; may be empty. */
  String reason() {
    return author.reason();
  }

  /**
   * Submits one command and prints what became of it.
   *
   * @param head what it is about, as the head of a column
   * @return the exit code
   */
  int submit(Terminal terminal, String head, Asked asked) throws Exception {
    return submit(terminal, head, asked, (client, answered) -> answered);
  }

  /**
   * Submits one command and prints what became of it.
   *
   * @param told what there is to add to the answer
   */
  int submit(Terminal terminal, String head, Asked asked, Telling told) throws Exception {
    SubmitCommandRequest command = signed(asked.request().toBuilder(), author.reason());
    return api.call(
        terminal,
        (client, progress) ->
            Answered.print(
                terminal,
                output.format(),
                head,
                List.of(told.of(client, send(client, new Asked(asked.subject(), command))))));
  }

  /** Adds to an answer what Berth has not said. */
  @FunctionalInterface
  interface Telling {
    Answered of(ApiClient client, Answered answered);
  }

  /** The same for a reason that was asked for. */
  int submit(Terminal terminal, String head, Asked asked, String reason) throws Exception {
    return submit(
        terminal, head, new Asked(asked.subject(), signed(asked.request().toBuilder(), reason)));
  }

  /** Who asks, checked by the same rules as what producers send. */
  String by() {
    return author.author().by();
  }

  private SubmitCommandRequest signed(SubmitCommandRequest.Builder command, String reason) {
    return command
        .setAuthor(by())
        .setReason(command.getReason().isEmpty() ? reason : command.getReason())
        .build();
  }

  /** The id is chosen here, so that asking again does not do it again. */
  private static Answered send(ApiClient client, Asked asked) {
    SubmitCommandRequest request =
        asked.request().toBuilder().setCommandId(UUID.randomUUID().toString()).build();
    SubmitCommandResponse answer = client.ask(stub -> stub.submitCommand(request));
    return Answered.of(asked.subject(), answer);
  }
}
