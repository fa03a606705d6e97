package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiFailedException;
import dev.berth.ops.api.ApiTarget;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Pause;
import dev.berth.ops.api.Reads;
import dev.berth.ops.view.ClaimsHit;
import dev.berth.ops.view.Lines;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ListClaimsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a dangerous command is about: the claims that are there now, read before anybody is asked. A
 * question that cannot be answered is told, and holds nothing up.
 *
 * @param where on what the claims are, as in "node n3"
 * @param filters which claims; one that two of them match must not exist
 * @param narrowing which of these
 */
record AtStake(String where, List<ClaimFilter> filters, Narrowing narrowing) {

  /** Leaves out claims that the command passes over. */
  @FunctionalInterface
  interface Narrowing {
    /**
     * The claims that it does not pass over.
     *
     * @param missing told what is not known
     */
    List<Claim> of(List<Claim> claims, Reads reads, Consumer<String> missing);
  }

  /** Shorter than a person who waits to be asked would wonder. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Each filter is a question of its own: more would keep whoever is asked waiting. */
  private static final int MOST_QUESTIONS = 20;

  AtStake {
    filters = List.copyOf(filters);
  }

  private AtStake(String where, List<ClaimFilter> filters) {
    this(where, filters, (claims, reads, missing) -> claims);
  }

  /** The claims of a node. */
  static AtStake node(String node) {
    return nodes(List.of(node));
  }

  /** The claims of nodes. */
  static AtStake nodes(List<String> nodes) {
    return new AtStake(
        nodes.size() == 1 ? "node " + nodes.get(0) : "these nodes",
        nodes.stream().map(node -> ClaimFilter.newBuilder().setNode(node).build()).toList());
  }

  /** The claims of volumes. */
  static AtStake volumes(List<VolumeName> volumes) {
    return new AtStake(
        volumes.size() == 1 ? "volume " + volumes.get(0) : "these volumes",
        volumes.stream().map(AtStake::of).map(ClaimFilter.Builder::build).toList());
  }

  /** The claims of a volume on a node. */
  static AtStake place(VolumeName volume, String node) {
    return new AtStake(
        "%s at node %s".formatted(volume, node), List.of(of(volume).setNode(node).build()));
  }

  /** The claims of a volume that wait for lost nodes. */
  static AtStake atLostNodes(VolumeName volume) {
    return new AtStake(
        "volume %s at lost nodes".formatted(volume),
        List.of(of(volume).build()),
        new LostNodes(volume));
  }

  private static ClaimFilter.Builder of(VolumeName volume) {
    return ClaimFilter.newBuilder().setNamespace(volume.namespace()).setVolume(volume.id());
  }

  /** The number of the claims and the first of them, or why they are not known. */
  List<String> lines(ApiTarget target) {
    try (ApiClient client = ApiClient.to(target, PATIENCE, waits -> {}, Pause.real())) {
      return lines(new Reads(client, true));
    } catch (ApiFailedException e) {
      return Lines.paragraph("Which claims that hits is not known now: " + e.getMessage());
    }
  }

  private List<String> lines(Reads reads) {
    List<Claim> claims = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (ClaimFilter filter : filters.subList(0, Math.min(MOST_QUESTIONS, filters.size()))) {
      Listed<Claim> listed = reads.claims(ListClaimsRequest.newBuilder().setFilter(filter).build());
      claims.addAll(listed.entries());
      listed.missing().stream().filter(what -> !missing.contains(what)).forEach(missing::add);
    }
    List<String> lines =
        new ArrayList<>(
            ClaimsHit.lines(
                filters.size() > MOST_QUESTIONS
                    ? "the first %d of %s".formatted(MOST_QUESTIONS, where)
                    : where,
                narrowing.of(claims, reads, missing::add)));
    missing.forEach(what -> lines.addAll(Lines.paragraph("Not counted: " + what)));
    return lines;
  }
}
