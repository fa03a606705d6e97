package dev.berth.producers;

import dev.berth.records.AssumeDetached;
import dev.berth.records.CollectGarbage;
import dev.berth.records.DeregisterVolume;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.PausePlugin;
import dev.berth.records.RegisterVolume;
import dev.berth.records.ResumePlugin;
import dev.berth.records.RetryVolume;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnfenceNode;
import dev.berth.schemas.topics.Keys;

/** What a command is about: its key on the topic. Checks the ids in it on the way. */
final class CommandSubject {

  /** Key of commands that concern everything. */
  static final String GARBAGE = "gc";

  private CommandSubject() {}

  /**
   * Returns the key of a command: the volume, node or plugin it concerns.
   *
   * @throws InvalidEventException when an id in it is not usable, or it is not a command
   */
  static String of(Object body) {
    if (body instanceof RegisterVolume command) {
      return VolumeRules.check(command.getSpec());
    }
    if (body instanceof DeregisterVolume command) {
      return volume(command.getNamespace(), command.getVolume());
    }
    if (body instanceof DetachVolume command) {
      FieldRules.id("node", command.getNode());
      return volume(command.getNamespace(), command.getVolume());
    }
    if (body instanceof RetryVolume command) {
      command.getAlloc().ifPresent(alloc -> FieldRules.id("alloc", alloc));
      return volume(command.getNamespace(), command.getVolume());
    }
    if (body instanceof AssumeDetached command) {
      FieldRules.id("node", command.getNode());
      return volume(command.getNamespace(), command.getVolume());
    }
    if (body instanceof UnblockVolume command) {
      return volume(command.getNamespace(), command.getVolume());
    }
    if (body instanceof FenceNode command) {
      return FieldRules.id("node", command.getNode());
    }
    if (body instanceof UnfenceNode command) {
      return FieldRules.id("node", command.getNode());
    }
    if (body instanceof PausePlugin command) {
      return FieldRules.id("plugin", command.getPlugin());
    }
    if (body instanceof ResumePlugin command) {
      return FieldRules.id("plugin", command.getPlugin());
    }
    if (body instanceof CollectGarbage) {
      return GARBAGE;
    }
    throw new InvalidEventException(
        "body", body.getClass().getName(), "is not one of the commands of the Command record");
  }

  /** Returns whether somebody must say why: these override what Berth knows. */
  static boolean needsReason(Object body) {
    return body instanceof FenceNode || body instanceof AssumeDetached;
  }

  private static String volume(String namespace, String volume) {
    return Keys.volume(FieldRules.id("namespace", namespace), FieldRules.id("volume", volume));
  }
}
