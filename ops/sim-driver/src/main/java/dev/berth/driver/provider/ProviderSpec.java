package dev.berth.driver.provider;

import java.util.Optional;

/**
 * How a provider behaves.
 *
 * @param deviceNameRace two attaches open together for one node pick the same device name, and the
 *     later one fails, as real clouds do
 * @param concurrency which calls of one volume may be open together
 * @param autoCreate volumes that are named for the first time come into being with this access;
 *     empty means that they are unknown
 */
public record ProviderSpec(
    boolean deviceNameRace, Concurrency concurrency, Optional<Access> autoCreate) {

  /** What happens to a call while another one of the same volume is open. */
  public enum Concurrency {
    /** ABORTED, as the specification suggests. */
    ABORT_PER_VOLUME,
    /** ABORTED if it is also for the same node. */
    ABORT_PER_VOLUME_AND_NODE,
    /** It is carried out. */
    ALLOW
  }

  /** Strict: one call per volume, device names race, volumes must be created. */
  public static ProviderSpec strict() {
    return new ProviderSpec(true, Concurrency.ABORT_PER_VOLUME, Optional.empty());
  }

  /** The same with or without the race for device names. */
  public ProviderSpec withDeviceNameRace(boolean race) {
    return new ProviderSpec(race, concurrency, autoCreate);
  }

  /** The same with other rules for calls that are open together. */
  public ProviderSpec withConcurrency(Concurrency other) {
    return new ProviderSpec(deviceNameRace, other, autoCreate);
  }

  /** The same with volumes that come into being when they are first named. */
  public ProviderSpec withAutoCreate(Access access) {
    return new ProviderSpec(deviceNameRace, concurrency, Optional.of(access));
  }
}
