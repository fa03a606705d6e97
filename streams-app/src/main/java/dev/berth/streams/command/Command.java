package dev.berth.streams.command;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an operator or a scheduler asks for. It is decided by one processor and answered once.
 *
 * @param id chosen by the sender, repeated in the answer
 * @param by who asks; may be empty
 * @param reason why, in the asker's words; may be empty
 * @param at when it was written, by the sender's clock: for display only
 * @param body what is asked
 */
public record Command(String id, String by, String reason, Instant at, Body body) {

  /** Subject of a collection asked for by hand, which is about no one thing. */
  public static final String GARBAGE = "gc";

  /** What is asked. */
  public sealed interface Body {
    /** What it is about: {@code namespace/volume}, a node id, a plugin id or {@link #GARBAGE}. */
    String subject();

    /** The command's name, as the answer repeats it. */
    default String name() {
      return getClass().getSimpleName();
    }
  }

  /** A command about one volume, decided by the volume's partition. */
  public sealed interface AboutVolume extends Body {
    /** Namespace of the volume. */
    String namespace();

    /** Volume id. */
    String volume();

    @Override
    default String subject() {
      return namespace() + "/" + volume();
    }
  }

  /** A command that {@code Cluster} decides. */
  public sealed interface AboutCluster extends Body {}

  /** A command that {@code Lanes} decides. */
  public sealed interface AboutPlugin extends Body {
    /** Plugin id. */
    String plugin();

    @Override
    default String subject() {
      return plugin();
    }
  }

  /**
   * Registers a volume, or replaces its registration.
   *
   * @param spec the volume
   */
  public record RegisterVolume(VolumeSpec spec) implements AboutVolume {
    @Override
    public String namespace() {
      return spec.namespace();
    }

    @Override
    public String volume() {
      return spec.volume();
    }
  }

  /**
   * Deregisters a volume.
   *
   * @param namespace namespace
   * @param volume volume id
   * @param force also while dead claims are still being released
   */
  public record DeregisterVolume(String namespace, String volume, boolean force)
      implements AboutVolume {}

  /**
   * Wants a volume detached from a node. Refused under a live claim; claims on their way out there
   * are on their way already, and the detach is theirs. Where no claim is, a known attachment that
   * nobody claimed is detached.
   *
   * @param namespace namespace
   * @param volume volume id
   * @param node node (scheduler's id)
   */
  public record DetachVolume(String namespace, String volume, String node) implements AboutVolume {}

  /**
   * Tries held and stuck steps of a volume at once, with a new budget.
   *
   * @param namespace namespace
   * @param volume volume id
   * @param alloc only this alloc's claim; null for all of the volume
   */
  public record RetryVolume(String namespace, String volume, @Nullable String alloc)
      implements AboutVolume {}

  /**
   * An operator vouches that a volume is detached from a node.
   *
   * @param namespace namespace
   * @param volume volume id
   * @param node node (scheduler's id)
   */
  public record AssumeDetached(String namespace, String volume, String node)
      implements AboutVolume {}

  /**
   * Treats the claims of a volume on lost nodes as unmounted.
   *
   * @param namespace namespace
   * @param volume volume id
   */
  public record UnblockVolume(String namespace, String volume) implements AboutVolume {}

  /**
   * An operator vouches that a node can no longer write.
   *
   * @param node node (scheduler's id)
   */
  public record FenceNode(String node) implements AboutCluster {
    @Override
    public String subject() {
      return node;
    }
  }

  /**
   * Takes a fence back: the node is clean again.
   *
   * @param node node (scheduler's id)
   */
  public record UnfenceNode(String node) implements AboutCluster {
    @Override
    public String subject() {
      return node;
    }
  }

  /** Collects garbage now, ignoring the thresholds. */
  public record CollectGarbage() implements AboutCluster {
    @Override
    public String subject() {
      return GARBAGE;
    }
  }

  /**
   * Stops the controller calls of a plugin; the open one ends.
   *
   * @param plugin plugin id
   */
  public record PausePlugin(String plugin) implements AboutPlugin {}

  /**
   * Lets a paused plugin go on.
   *
   * @param plugin plugin id
   */
  public record ResumePlugin(String plugin) implements AboutPlugin {}
}
