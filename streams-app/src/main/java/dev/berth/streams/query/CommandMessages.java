package dev.berth.streams.query;

import dev.berth.proto.api.Capability;
import dev.berth.proto.api.RegisterVolumeCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.Topology;
import dev.berth.proto.api.VolumeRef;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.streams.codec.CommandCheck;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.SecretReferences;
import dev.berth.streams.command.VolumeSpec;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Commands as the API takes them, and their answers. */
final class CommandMessages {
  private static final String ACCESS = "ACCESS_MODE_";
  private static final String ATTACHMENT = "ATTACHMENT_MODE_";

  private CommandMessages() {}

  /**
   * Reads a command.
   *
   * @param id its id
   * @param caller who asks
   * @param now time that it is written with
   * @throws StatusRuntimeException INVALID_ARGUMENT naming field, value and remedy;
   *     PERMISSION_DENIED for a namespace that is not the caller's
   */
  static Command command(SubmitCommandRequest request, String id, Caller caller, Instant now) {
    Command.Body body = body(request);
    requireAllowed(body, caller);
    Command command =
        new Command(
            id,
            author(request.getAuthor(), caller),
            request.getReason(),
            now.truncatedTo(ChronoUnit.MILLIS),
            body);
    Optional<String> problem = CommandCheck.problem(command);
    if (problem.isPresent()) {
      throw invalid(problem.get());
    }
    return command;
  }

  /** Somebody on this machine is who they say; who is known is named, whatever they say. */
  private static String author(String said, Caller caller) {
    if (said.isBlank()) {
      return caller.name();
    }
    return caller.equals(Caller.LOCAL) ? said : "%s (for %s)".formatted(caller.name(), said);
  }

  private static void requireAllowed(Command.Body body, Caller caller) {
    if (body instanceof Command.AboutVolume about
        ? caller.sees(about.namespace())
        : caller.seesAll()) {
      return;
    }
    throw Status.PERMISSION_DENIED
        .withDescription(
            body instanceof Command.AboutVolume about
                ? "namespace %s is not among those of %s"
                    .formatted(about.namespace(), caller.name())
                : "%s concerns every namespace, and %s does not have them all"
                    .formatted(body.name(), caller.name()))
        .asRuntimeException();
  }

  private static Command.Body body(SubmitCommandRequest request) {
    return switch (request.getCommandCase()) {
      case DETACH -> {
        VolumeRef ref = checked(request.getDetach().getRef());
        yield new Command.DetachVolume(
            ref.getNamespace(), ref.getVolume(), part("node", request.getDetach().getNode()));
      }
      case RETRY -> {
        VolumeRef ref = checked(request.getRetry().getRef());
        String alloc = request.getRetry().getAlloc();
        yield new Command.RetryVolume(
            ref.getNamespace(), ref.getVolume(), alloc.isEmpty() ? null : part("alloc", alloc));
      }
      case ASSUME_DETACHED -> {
        VolumeRef ref = checked(request.getAssumeDetached().getRef());
        yield new Command.AssumeDetached(
            ref.getNamespace(),
            ref.getVolume(),
            part("node", request.getAssumeDetached().getNode()));
      }
      case UNBLOCK -> {
        VolumeRef ref = checked(request.getUnblock().getRef());
        yield new Command.UnblockVolume(ref.getNamespace(), ref.getVolume());
      }
      case DEREGISTER_VOLUME -> {
        VolumeRef ref = checked(request.getDeregisterVolume().getRef());
        yield new Command.DeregisterVolume(
            ref.getNamespace(), ref.getVolume(), request.getDeregisterVolume().getForce());
      }
      case REGISTER_VOLUME -> new Command.RegisterVolume(spec(request.getRegisterVolume()));
      case FENCE -> new Command.FenceNode(part("node", request.getFence().getNode()));
      case UNFENCE -> new Command.UnfenceNode(part("node", request.getUnfence().getNode()));
      case COLLECT_GARBAGE -> new Command.CollectGarbage();
      case PAUSE -> new Command.PausePlugin(part("plugin", request.getPause().getPlugin()));
      case RESUME -> new Command.ResumePlugin(part("plugin", request.getResume().getPlugin()));
      case COMMAND_NOT_SET -> throw invalid("command is not set: say what is asked");
    };
  }

  private static VolumeSpec spec(RegisterVolumeCommand register) {
    VolumeRef ref = checked(register.getRef());
    if (register.getCapabilitiesCount() == 0) {
      throw invalid("capabilities are none: give at least one pair of access and attachment mode");
    }
    if (register.getExternalId().isEmpty()) {
      throw invalid("external_id is empty: give the provider's id of the volume");
    }
    register
        .getSecretReferencesMap()
        .forEach(
            (name, reference) -> {
              // It would stand in the topic of commands, whatever is answered; so it is not shown.
              if (!SecretReferences.isReference(reference)) {
                throw invalid(
                    "secret_references.%s is not a reference: never give the secret itself; write"
                            .formatted(name)
                        + " ${provider:path:key}, for example ${dir:/run/secrets:key}");
              }
            });
    return new VolumeSpec(
        ref.getNamespace(),
        ref.getVolume(),
        part("plugin", register.getPlugin()),
        register.getExternalId(),
        register.getCapabilitiesList().stream().map(CommandMessages::capability).toList(),
        register.getSecretReferencesMap(),
        register.getVolumeContextMap(),
        register.getParametersMap(),
        register.getFsType().isEmpty() ? null : register.getFsType(),
        register.getMountFlagsList(),
        register.getTopologiesList().stream()
            .map(Topology::getSegmentsMap)
            .<Map<String, String>>map(Map::copyOf)
            .toList());
  }

  private static VolumeSpec.Capability capability(Capability pair) {
    String access = pair.getAccess().name();
    String attachment = pair.getAttachment().name();
    try {
      return new VolumeSpec.Capability(
          AccessMode.valueOf(access.substring(ACCESS.length())),
          AttachmentMode.valueOf(attachment.substring(ATTACHMENT.length())));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw invalid(
          "capabilities: %s with %s is no pair of modes: give both".formatted(access, attachment));
    }
  }

  private static VolumeRef checked(VolumeRef ref) {
    part("namespace", ref.getNamespace());
    part("volume", ref.getVolume());
    return ref;
  }

  private static String part(String field, String value) {
    if (value.isEmpty()) {
      throw invalid(field + " is empty: name it");
    }
    if (value.indexOf('/') >= 0 || value.chars().anyMatch(Character::isISOControl)) {
      throw invalid(
          "%s '%s' holds a slash or a control character: take it out".formatted(field, value));
    }
    return value;
  }

  /** What the caller is told of an answer. */
  static SubmitCommandResponse response(Answer answer) {
    SubmitCommandResponse.Builder message =
        SubmitCommandResponse.newBuilder()
            .setCommandId(answer.commandId())
            .setDecidedAt(ProtoTime.timestamp(answer.at()));
    if (answer.refusal() == null) {
      message.setSummary(answer.message());
    } else {
      message.setRefusal(
          SubmitCommandResponse.Refusal.newBuilder()
              .setCode(answer.refusal().text())
              .setDetail(answer.message()));
    }
    return message.build();
  }

  private static StatusRuntimeException invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text).asRuntimeException();
  }
}
