package dev.berth.streams.query;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ReadOptions;
import dev.berth.streams.topology.ProcessorStore;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * Asks whoever has the partitions of a store: this instance its own stores, the others by the same
 * call with a {@link Scope}. One partition or all of them, the way is the same, and so is what is
 * said when somebody does not answer.
 */
final class Fan {
  /** When the next rebalance, without a dead instance, is over for sure. */
  private static final Duration UNTIL_REPLACED = Duration.ofSeconds(3);

  private final Supplier<Instances> instances;
  private final Peers peers;
  private final InstantSource clock;

  /**
   * Prepares.
   *
   * @param instances asked anew for each call; throws {@link UnavailableException} while there are
   *     none
   */
  Fan(Supplier<Instances> instances, Peers peers, InstantSource clock) {
    this.instances = instances;
    this.peers = peers;
    this.clock = clock;
  }

  /** Partitions of a store (count). */
  int partitions(ProcessorStore store) {
    return instances.get().partitions(store);
  }

  /**
   * Asks.
   *
   * @param wanted partitions to ask about; of no effect when another instance asks for its own
   * @throws UnavailableException when a part of it does not answer, and the options do not say that
   *     it may be missing
   */
  <Q extends Message, R extends Message> Answers<R> ask(
      Question<Q, R> question, Set<Integer> wanted, ReadOptions options) {
    Scope scope = Scope.current();
    Instances all = instances.get();
    if (scope != null) {
      Scope narrowed = new Scope(scope.partitions(), scope.standby(), both(scope));
      return new Answers<>(
          List.of(local(all, question, narrowed)), freshness(all, question.store(), narrowed));
    }
    Round<Q, R> round = new Round<>(all, question, Caller.current().namespaces());
    Map<Integer, Instances.Owners> owners = all.owners(question.store());
    round.ask(wanted, partition -> owner(owners, partition), false);
    if (options.getAllowStandby()) {
      Map<Integer, UnavailableException> failed = round.takeFailed();
      failed.forEach(
          (partition, failure) -> {
            List<HostInfo> standbys =
                owners.getOrDefault(partition, Instances.Owners.NONE).standbys();
            if (standbys.isEmpty()) {
              round.failed.put(partition, failure);
            } else {
              round.ask(Set.of(partition), any -> standbys.get(0), true);
            }
          });
    }
    return round.answers(options.getAllowPartial());
  }

  /** A header cannot widen what its caller sees. */
  private static Set<String> both(Scope scope) {
    Caller caller = Caller.current();
    if (caller.seesAll()) {
      return scope.namespaces();
    }
    Set<String> namespaces = new TreeSet<>(caller.namespaces());
    if (!scope.namespaces().contains(Caller.EVERY_NAMESPACE)) {
      namespaces.retainAll(scope.namespaces());
    }
    return namespaces;
  }

  private static @Nullable HostInfo owner(
      Map<Integer, Instances.Owners> owners, Integer partition) {
    return owners.getOrDefault(partition, Instances.Owners.NONE).active();
  }

  private <Q extends Message, R extends Message> R local(
      Instances all, Question<Q, R> question, Scope scope) {
    List<Reading> readings = new ArrayList<>();
    for (int partition : new TreeSet<>(scope.partitions())) {
      readings.add(
          new Reading(
              all.tables(question.store(), partition, scope.standby()),
              partition,
              clock.instant(),
              Reading.seeing(scope.namespaces())));
    }
    try {
      return question.local().apply(readings);
    } catch (InvalidStateStoreException e) {
      throw new UnavailableException(
          "instance %s loses partitions of %s"
              .formatted(ApiServer.text(all.self()), question.store().storeName()),
          Duration.ofSeconds(1));
    }
  }

  private Freshness freshness(Instances all, ProcessorStore store, Scope scope) {
    if (!scope.standby()) {
      return Reading.owned(clock.instant());
    }
    long lag =
        scope.partitions().stream()
            .mapToLong(partition -> all.lag(store, partition))
            .max()
            .orElse(0);
    return Reading.copied(clock.instant(), lag);
  }

  /** One round of asking: what came, and what did not. */
  private final class Round<Q extends Message, R extends Message> {
    private final Instances all;
    private final Question<Q, R> question;
    private final Set<String> namespaces;
    private final List<R> parts = new ArrayList<>();
    private final Map<Integer, UnavailableException> failed = new TreeMap<>();
    private Freshness freshness = Reading.owned(clock.instant());

    Round(Instances all, Question<Q, R> question, Set<String> namespaces) {
      this.all = all;
      this.question = question;
      this.namespaces = namespaces;
    }

    /** Asks each instance once for all that it has; the others while this one reads its own. */
    void ask(Set<Integer> wanted, Function<Integer, @Nullable HostInfo> who, boolean standby) {
      Map<HostInfo, Set<Integer>> asks = new LinkedHashMap<>();
      for (int partition : new TreeSet<>(wanted)) {
        HostInfo host = who.apply(partition);
        if (host == null) {
          failed.put(partition, ownerless(partition));
        } else {
          asks.computeIfAbsent(host, none -> new TreeSet<>()).add(partition);
        }
      }
      Map<HostInfo, ListenableFuture<R>> asked = new LinkedHashMap<>();
      asks.forEach(
          (host, partitions) -> {
            if (!host.equals(all.self())) {
              Scope scope = new Scope(partitions, standby, namespaces);
              asked.put(host, peers.ask(host, question.method(), question.request(), scope));
            }
          });
      Set<Integer> own = asks.getOrDefault(all.self(), Set.of());
      if (!own.isEmpty()) {
        own(new Scope(own, standby, namespaces));
      }
      asked.forEach((host, answer) -> take(host, asks.getOrDefault(host, Set.of()), answer));
    }

    private void own(Scope scope) {
      try {
        parts.add(local(all, question, scope));
        freshness = Reading.together(freshness, freshness(all, question.store(), scope));
      } catch (UnavailableException e) {
        scope.partitions().forEach(partition -> failed.put(partition, e));
      }
    }

    private void take(HostInfo host, Set<Integer> partitions, ListenableFuture<R> answer) {
      try {
        R part = answer.get();
        parts.add(part);
        freshness = Reading.together(freshness, Fields.freshness(part));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Status.CANCELLED.withDescription("interrupted").asRuntimeException();
      } catch (ExecutionException e) {
        UnavailableException failure = failure(host, e);
        partitions.forEach(partition -> failed.put(partition, failure));
      }
    }

    private UnavailableException failure(HostInfo host, ExecutionException e) {
      if (!(e.getCause() instanceof StatusRuntimeException status)) {
        throw new IllegalStateException("asking " + ApiServer.text(host) + " failed", e);
      }
      return switch (status.getStatus().getCode()) {
        case UNAVAILABLE -> UnavailableException.from(ApiServer.text(host), status);
        case DEADLINE_EXCEEDED ->
            new UnavailableException(
                "instance %s does not answer in time".formatted(ApiServer.text(host)),
                UNTIL_REPLACED);
        default -> throw status;
      };
    }

    Map<Integer, UnavailableException> takeFailed() {
      Map<Integer, UnavailableException> taken = new TreeMap<>(failed);
      failed.clear();
      return taken;
    }

    private UnavailableException ownerless(int partition) {
      return new UnavailableException(
          "partition %d of %s has no owner: the instances are sharing the partitions out"
              .formatted(partition, question.store().storeName()),
          Duration.ofSeconds(1));
    }

    Answers<R> answers(boolean partial) {
      if (failed.isEmpty()) {
        return new Answers<>(List.copyOf(parts), freshness);
      }
      if (!partial) {
        throw failed.values().iterator().next();
      }
      Freshness.Builder incomplete = freshness.toBuilder().setComplete(false);
      failed.forEach(
          (partition, why) ->
              incomplete.addMissing(
                  "partition %d of %s: %s"
                      .formatted(partition, question.store().storeName(), why.getMessage())));
      return new Answers<>(List.copyOf(parts), incomplete.build());
    }
  }
}
