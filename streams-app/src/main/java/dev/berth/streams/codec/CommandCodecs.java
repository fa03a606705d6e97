package dev.berth.streams.codec;

import dev.berth.records.AssumeDetached;
import dev.berth.records.CollectGarbage;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.PausePlugin;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.command.VolumeSpec;
import org.apache.avro.specific.SpecificRecord;

/** Codecs of commands, their answers, and the volumes they register. */
public final class CommandCodecs {

  /** A volume's registration. */
  public static final Codec<VolumeSpec, dev.berth.records.VolumeSpec> VOLUME_SPEC =
      new Codec<>(
          VolumeSpec.class,
          dev.berth.records.VolumeSpec.class,
          CommandCodecs::encodeSpec,
          CommandCodecs::decodeSpec);

  /** A command. */
  public static final Codec<Command, dev.berth.records.Command> COMMAND =
      new Codec<>(
          Command.class,
          dev.berth.records.Command.class,
          CommandCodecs::encodeCommand,
          CommandCodecs::decodeCommand);

  /** The answer to a command. A refusal of a newer writer reads as {@link Refusal#INVALID}. */
  public static final Codec<Answer, CommandResult> ANSWER =
      new Codec<>(
          Answer.class,
          CommandResult.class,
          CommandCodecs::encodeAnswer,
          CommandCodecs::decodeAnswer);

  private CommandCodecs() {}

  private static dev.berth.records.VolumeSpec encodeSpec(VolumeSpec spec) {
    return dev.berth.records.VolumeSpec.newBuilder()
        .setNamespace(spec.namespace())
        .setVolume(spec.volume())
        .setPlugin(spec.plugin())
        .setExternalId(spec.externalId())
        .setCapabilities(
            spec.capabilities().stream()
                .map(pair -> new dev.berth.records.Capability(pair.access(), pair.attachment()))
                .toList())
        .setSecrets(spec.secrets())
        .setContext(spec.context())
        .setParameters(spec.parameters())
        .setFsType(spec.fsType())
        .setMountFlags(spec.mountFlags())
        .setTopologies(spec.topologies())
        .build();
  }

  private static VolumeSpec decodeSpec(dev.berth.records.VolumeSpec spec) {
    return new VolumeSpec(
        spec.getNamespace(),
        spec.getVolume(),
        spec.getPlugin(),
        spec.getExternalId(),
        spec.getCapabilities().stream()
            .map(pair -> new VolumeSpec.Capability(pair.getAccess(), pair.getAttachment()))
            .toList(),
        spec.getSecrets(),
        spec.getContext(),
        spec.getParameters(),
        spec.getFsType().orElse(null),
        spec.getMountFlags(),
        spec.getTopologies());
  }

  private static dev.berth.records.Command encodeCommand(Command command) {
    return dev.berth.records.Command.newBuilder()
        .setCommandId(command.id())
        .setBy(command.by())
        .setReason(command.reason())
        .setAt(command.at())
        .setBody(encodeBody(command.body()))
        .build();
  }

  private static Command decodeCommand(dev.berth.records.Command command) {
    return new Command(
        command.getCommandId(),
        command.getBy(),
        command.getReason(),
        command.getAt(),
        decodeBody(command.getBody()));
  }

  private static SpecificRecord encodeBody(Command.Body body) {
    if (body instanceof Command.AboutVolume aboutVolume) {
      return encodeAboutVolume(aboutVolume);
    } else if (body instanceof Command.FenceNode fence) {
      return new FenceNode(fence.node());
    } else if (body instanceof Command.UnfenceNode unfence) {
      return new UnfenceNode(unfence.node());
    } else if (body instanceof Command.CollectGarbage) {
      return new CollectGarbage();
    } else if (body instanceof Command.PausePlugin pause) {
      return new PausePlugin(pause.plugin());
    } else if (body instanceof Command.ResumePlugin resume) {
      return new ResumePlugin(resume.plugin());
    }
    throw new IllegalArgumentException("no record for " + body.name());
  }

  private static SpecificRecord encodeAboutVolume(Command.AboutVolume body) {
    String namespace = body.namespace();
    String volume = body.volume();
    if (body instanceof Command.RegisterVolume register) {
      return new RegisterVolume(encodeSpec(register.spec()));
    } else if (body instanceof Command.DeregisterVolume deregister) {
      return new DeregisterVolume(namespace, volume, deregister.force());
    } else if (body instanceof Command.DetachVolume detach) {
      return new DetachVolume(namespace, volume, detach.node());
    } else if (body instanceof Command.RetryVolume retry) {
      return new RetryVolume(namespace, volume, retry.alloc());
    } else if (body instanceof Command.AssumeDetached assume) {
      return new AssumeDetached(namespace, volume, assume.node());
    } else if (body instanceof Command.UnblockVolume) {
      return new UnblockVolume(namespace, volume);
    }
    throw new IllegalArgumentException("no record for " + body.name());
  }

  private static Command.Body decodeBody(Object body) {
    if (body instanceof FenceNode fence) {
      return new Command.FenceNode(fence.getNode());
    } else if (body instanceof UnfenceNode unfence) {
      return new Command.UnfenceNode(unfence.getNode());
    } else if (body instanceof CollectGarbage) {
      return new Command.CollectGarbage();
    } else if (body instanceof PausePlugin pause) {
      return new Command.PausePlugin(pause.getPlugin());
    } else if (body instanceof ResumePlugin resume) {
      return new Command.ResumePlugin(resume.getPlugin());
    }
    return decodeAboutVolume(body);
  }

  private static Command.Body decodeAboutVolume(Object body) {
    if (body instanceof RegisterVolume register) {
      return new Command.RegisterVolume(decodeSpec(register.getSpec()));
    } else if (body instanceof DeregisterVolume deregister) {
      return new Command.DeregisterVolume(
          deregister.getNamespace(), deregister.getVolume(), deregister.getForce());
    } else if (body instanceof DetachVolume detach) {
      return new Command.DetachVolume(detach.getNamespace(), detach.getVolume(), detach.getNode());
    } else if (body instanceof RetryVolume retry) {
      return new Command.RetryVolume(
          retry.getNamespace(), retry.getVolume(), retry.getAlloc().orElse(null));
    } else if (body instanceof AssumeDetached assume) {
      return new Command.AssumeDetached(
          assume.getNamespace(), assume.getVolume(), assume.getNode());
    } else if (body instanceof UnblockVolume unblock) {
      return new Command.UnblockVolume(unblock.getNamespace(), unblock.getVolume());
    }
    throw new IllegalArgumentException("no command for " + body.getClass().getSimpleName());
  }

  private static CommandResult encodeAnswer(Answer answer) {
    Refusal refusal = answer.refusal();
    return CommandResult.newBuilder()
        .setCommandId(answer.commandId())
        .setBy(answer.by())
        .setReason(answer.reason())
        .setCommand(answer.command())
        .setSubject(answer.subject())
        .setOutcome(refusal == null ? CommandOutcome.OK : CommandOutcome.REFUSED)
        .setCode(refusal == null ? null : refusal.text())
        .setMessage(answer.message())
        .setAt(answer.at())
        .build();
  }

  private static Answer decodeAnswer(CommandResult result) {
    boolean refused = result.getOutcome() == CommandOutcome.REFUSED;
    return new Answer(
        result.getCommandId(),
        result.getBy(),
        result.getReason(),
        result.getCommand(),
        result.getSubject(),
        refused ? result.getCode().flatMap(Refusal::of).orElse(Refusal.INVALID) : null,
        result.getMessage(),
        result.getAt());
  }
}
