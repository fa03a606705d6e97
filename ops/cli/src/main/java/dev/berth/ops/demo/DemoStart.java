package dev.berth.ops.demo;

import java.util.Optional;

/** When an alloc claims its volumes. */
public sealed interface DemoStart {

  /** The alloc that it is about; empty when it is about none. */
  Optional<String> alloc();

  /** At the beginning. */
  record AtOnce() implements DemoStart {
    @Override
    public Optional<String> alloc() {
      return Optional.empty();
    }
  }

  /**
   * While another alloc runs that shares the volume.
   *
   * @param other that alloc
   */
  record Beside(String other) implements DemoStart {
    @Override
    public Optional<String> alloc() {
      return Optional.of(other);
    }
  }

  /**
   * While another alloc runs that keeps the volume to itself. The other one runs until this one has
   * been told to wait, so that it does wait, whatever the machine's speed.
   *
   * @param other that alloc
   */
  record BehindHolder(String other) implements DemoStart {
    @Override
    public Optional<String> alloc() {
      return Optional.of(other);
    }
  }

  /**
   * When the claim of another alloc is gone, so that it need not wait.
   *
   * @param other that alloc
   */
  record AfterRelease(String other) implements DemoStart {
    @Override
    public Optional<String> alloc() {
      return Optional.of(other);
    }
  }
}
