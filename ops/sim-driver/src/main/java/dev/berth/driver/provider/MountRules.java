package dev.berth.driver.provider;

import io.grpc.Status;
import java.util.Optional;

/**
 * What a node may do with a volume: the conditions and codes of the four node calls in the CSI
 * specification.
 */
final class MountRules {

  private MountRules() {}

  /**
   * What the decision knows of the volume on that node.
   *
   * @param volume the volume, if the provider has it
   * @param needsAttachment whether the plugin attaches before it mounts
   * @param attached whether the volume is attached to this node
   * @param needsStaging whether the plugin stages before it publishes
   */
  record Situation(
      Optional<Volume> volume,
      boolean needsAttachment,
      boolean attached,
      boolean needsStaging,
      Mount mount) {}

  static Decision stage(Situation now, String path, Usage usage) {
    Mount mount = now.mount();
    Optional<Decision> impossible = impossible(now, usage);
    if (impossible.isPresent()) {
      return impossible.get();
    }
    if (now.needsAttachment() && !now.attached()) {
      return notAttached(mount);
    }
    if (mount.staged().isEmpty()) {
      return Decision.by(new Change.Staged(mount.volume(), mount.node(), path, usage));
    }
    Mount.Staged staged = mount.staged().get();
    if (staged.equals(new Mount.Staged(path, usage))) {
      return Decision.already();
    }
    return Decision.refuse(
        Status.Code.ALREADY_EXISTS,
        "volume %s is staged at %s as %s"
            .formatted(mount.volume(), staged.path(), staged.usage().describe()));
  }

  static Decision unstage(Mount mount) {
    if (!mount.published().isEmpty()) {
      return Decision.refuse(
          Status.Code.FAILED_PRECONDITION,
          "volume %s is still published at %s"
              .formatted(mount.volume(), mount.published().keySet()));
    }
    return mount.staged().isEmpty()
        ? Decision.already()
        : Decision.by(new Change.Unstaged(mount.volume(), mount.node()));
  }

  /**
   * Decides a publish.
   *
   * @param stagingPath where the caller says that it is staged; empty if left out
   */
  static Decision publish(Situation now, String stagingPath, String target, Usage usage) {
    Mount mount = now.mount();
    Optional<Decision> impossible = impossible(now, usage);
    if (impossible.isPresent()) {
      return impossible.get();
    }
    if (now.needsStaging()) {
      if (mount.staged().filter(staged -> staged.path().equals(stagingPath)).isEmpty()) {
        return Decision.refuse(
            Status.Code.FAILED_PRECONDITION,
            "volume %s is not staged at '%s'".formatted(mount.volume(), stagingPath));
      }
    } else if (now.needsAttachment() && !now.attached()) {
      return notAttached(mount);
    }
    Usage before = mount.published().get(target);
    if (before != null) {
      return before.equals(usage)
          ? Decision.already()
          : Decision.refuse(
              Status.Code.ALREADY_EXISTS,
              "volume %s is published at %s as %s"
                  .formatted(mount.volume(), target, before.describe()));
    }
    if (!mount.published().isEmpty() && !usage.allowsManyTargets()) {
      return Decision.refuse(
          Status.Code.FAILED_PRECONDITION,
          "volume %s is published at %s and %s allows no second target"
              .formatted(mount.volume(), mount.published().keySet(), usage.mode()));
    }
    return Decision.by(new Change.Published(mount.volume(), mount.node(), target, usage));
  }

  static Decision unpublish(Mount mount, String target) {
    return mount.published().containsKey(target)
        ? Decision.by(new Change.Unpublished(mount.volume(), mount.node(), target))
        : Decision.already();
  }

  private static Optional<Decision> impossible(Situation now, Usage usage) {
    String id = now.mount().volume();
    if (now.volume().isEmpty()) {
      return Optional.of(
          Decision.refuse(Status.Code.NOT_FOUND, "volume %s does not exist".formatted(id)));
    }
    if (usage.isMultiNode() && now.volume().get().access() == Access.SINGLE_NODE) {
      return Optional.of(
          Decision.refuse(
              Status.Code.FAILED_PRECONDITION,
              "volume %s can be used by one node only, not as %s".formatted(id, usage.mode())));
    }
    return Optional.empty();
  }

  private static Decision notAttached(Mount mount) {
    return Decision.refuse(
        Status.Code.INTERNAL,
        "volume %s is not attached to node %s".formatted(mount.volume(), mount.node()));
  }
}
