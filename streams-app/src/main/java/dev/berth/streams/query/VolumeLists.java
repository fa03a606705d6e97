package dev.berth.streams.query;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ListAttachmentsRequest;
import dev.berth.proto.api.ListAttachmentsResponse;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListClaimsResponse;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListStuckResponse;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.ListVolumesResponse;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import dev.berth.schemas.topics.Keys;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.VolumeStatus;
import dev.berth.streams.kernel.KeyOrder;
import dev.berth.streams.topology.ProcessorStore;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The lists of what {@code VolumeClaims} has. */
final class VolumeLists {
  static final Listing<ListVolumesRequest, Volume, ListVolumesResponse> VOLUMES =
      new Listing<>(
          BerthGrpc.getListVolumesMethod(),
          ListVolumesResponse.getDefaultInstance(),
          ProcessorStore.VOLUME_CLAIMS,
          Volume.class,
          volume -> key(volume.getRef()),
          request -> volume(request.getNamespace(), request.getVolume()),
          VolumeLists::volumes);

  static final Listing<ListClaimsRequest, Claim, ListClaimsResponse> CLAIMS =
      new Listing<>(
          BerthGrpc.getListClaimsMethod(),
          ListClaimsResponse.getDefaultInstance(),
          ProcessorStore.VOLUME_CLAIMS,
          Claim.class,
          VolumeLists::key,
          request -> volume(request.getFilter().getNamespace(), request.getFilter().getVolume()),
          VolumeLists::claims);

  static final Listing<ListStuckRequest, Stuck, ListStuckResponse> STUCK =
      new Listing<>(
          BerthGrpc.getListStuckMethod(),
          ListStuckResponse.getDefaultInstance(),
          ProcessorStore.VOLUME_CLAIMS,
          Stuck.class,
          VolumeLists::key,
          request -> volume(request.getNamespace(), request.getVolume()),
          VolumeLists::stuck);

  static final Listing<ListAttachmentsRequest, Attachment, ListAttachmentsResponse> ATTACHMENTS =
      new Listing<>(
          BerthGrpc.getListAttachmentsMethod(),
          ListAttachmentsResponse.getDefaultInstance(),
          ProcessorStore.VOLUME_CLAIMS,
          Attachment.class,
          attachment -> key(attachment.getRef()) + "/" + attachment.getNode(),
          request -> volume(request.getNamespace(), request.getVolume()),
          VolumeLists::attachments);

  /** Before the node where a key has no alloc. */
  private static final String FOREIGN = "/@";

  private VolumeLists() {}

  /** Key of a claim. */
  static String key(Claim claim) {
    return Keys.claim(claim.getRef().getNamespace(), claim.getRef().getVolume(), claim.getAlloc());
  }

  /** Key of what is stuck: where there is no claim it has the node, as on the dead-letter topic. */
  private static String key(Stuck stuck) {
    Claim claim = stuck.getClaim();
    return claim.getAlloc().isEmpty()
        ? key(claim.getRef()) + FOREIGN + claim.getNode()
        : key(claim);
  }

  /** The node in the key of what is stuck without a claim. */
  static Optional<String> foreignNode(String key) {
    int at = key.indexOf(FOREIGN);
    return at < 0 ? Optional.empty() : Optional.of(key.substring(at + FOREIGN.length()));
  }

  private static String key(VolumeRef ref) {
    return Keys.volume(ref.getNamespace(), ref.getVolume());
  }

  private static Optional<String> volume(String namespace, String volume) {
    return namespace.isEmpty() || volume.isEmpty()
        ? Optional.empty()
        : Optional.of(Keys.volume(namespace, volume));
  }

  /** What the keys of a namespace, or a volume of it, begin with; empty for all. */
  private static String prefix(String namespace, String volume) {
    return namespace.isEmpty() ? "" : namespace + "/" + (volume.isEmpty() ? "" : volume + "/");
  }

  private static void volumes(
      Reading reading, ListVolumesRequest request, String after, Predicate<Volume> taker) {
    String prefix = prefix(request.getNamespace(), "");
    reading
        .state()
        .walk(
            ClaimTables.VOLUMES,
            prefix,
            Listing.from(prefix, after),
            row -> {
              Lister.requireWanted();
              VolumeKey key = VolumeKey.parse(row.key());
              boolean wanted =
                  reading.sees().test(key.namespace())
                      && ClaimMessages.matches(request.getVolume(), key.volume())
                      && ClaimMessages.matches(request.getPlugin(), row.value().spec().plugin());
              return !wanted
                  || taker.test(
                      VolumeMessages.of(
                          row.value(), VolumeStatus.of(reading.state(), key, reading.now())));
            });
  }

  private static void claims(
      Reading reading, ListClaimsRequest request, String after, Predicate<Claim> taker) {
    ClaimFilter filter = request.getFilter();
    walk(
        reading,
        prefix(filter.getNamespace(), filter.getVolume()),
        after,
        claim ->
            ClaimMessages.matches(filter.getNode(), claim.node())
                && ClaimMessages.matches(filter.getAlloc(), claim.alloc())
                && ClaimMessages.matches(filter.getVolume(), claim.key().volume())
                && (!filter.getStuck() || claim.reported()),
        claim -> !ClaimMessages.matches(filter, claim) || taker.test(claim));
  }

  private static void stuck(
      Reading reading, ListStuckRequest request, String after, Predicate<Stuck> taker) {
    NavigableMap<String, Stuck> foreign = foreign(reading, request, after);
    Predicate<String> before =
        key -> {
          boolean wanted = true;
          while (wanted && !foreign.isEmpty() && isBefore(foreign.firstKey(), key)) {
            wanted = taker.test(foreign.pollFirstEntry().getValue());
          }
          return wanted;
        };
    boolean[] goesOn = {true};
    walk(
        reading,
        prefix(request.getNamespace(), request.getVolume()),
        after,
        claim ->
            claim.reported()
                && ClaimMessages.matches(request.getVolume(), claim.key().volume())
                && ClaimMessages.matches(request.getAlloc(), claim.alloc()),
        claim -> {
          if (ClaimMessages.matches(request, claim)) {
            goesOn[0] = before.test(key(claim)) && taker.test(ClaimMessages.stuck(claim));
          }
          return goesOn[0];
        });
    while (goesOn[0] && !foreign.isEmpty()) {
      goesOn[0] = taker.test(foreign.pollFirstEntry().getValue());
    }
  }

  private static boolean isBefore(String one, String other) {
    return KeyOrder.OF_STORES.compare(one, other) < 0;
  }

  /** Detaches without a claim that need an operator: few, and found by looking at all listings. */
  private static NavigableMap<String, Stuck> foreign(
      Reading reading, ListStuckRequest request, String after) {
    NavigableMap<String, Stuck> found = new TreeMap<>(KeyOrder.OF_STORES);
    String prefix = prefix(request.getNamespace(), "");
    reading
        .state()
        .walk(
            ClaimTables.LISTINGS,
            prefix,
            prefix,
            row -> {
              Lister.requireWanted();
              VolumeKey volume = VolumeKey.parse(row.key());
              boolean told = row.value().foreign().stream().anyMatch(f -> f.letter() != null);
              boolean meant = ClaimMessages.matches(request.getVolume(), volume.volume());
              if (told && meant && reading.sees().test(volume.namespace())) {
                VolumeStatus.of(reading.state(), volume, reading.now())
                    .foreignLetters()
                    .forEach(letter -> add(found, ClaimMessages.stuck(letter), request, after));
              }
              return true;
            });
    return found;
  }

  private static void add(
      NavigableMap<String, Stuck> found, Stuck stuck, ListStuckRequest request, String after) {
    boolean behind = after.isEmpty() || isBefore(after, key(stuck));
    if (behind && ClaimMessages.matches(request, stuck.getClaim())) {
      found.put(key(stuck), stuck);
    }
  }

  /**
   * Walks over claims; what a claim's volume says is looked up once for all claims of it, and only
   * where a claim is likely to be wanted.
   */
  private static void walk(
      Reading reading,
      String prefix,
      String after,
      Predicate<dev.berth.streams.claims.Claim> likely,
      Predicate<Claim> taker) {
    Volumes volumes = new Volumes(reading);
    reading
        .state()
        .walk(
            ClaimTables.CLAIMS,
            prefix,
            Listing.from(prefix, after),
            row -> {
              Lister.requireWanted();
              boolean wanted =
                  reading.sees().test(row.value().key().namespace()) && likely.test(row.value());
              return !wanted
                  || taker.test(ClaimMessages.of(row.value(), volumes.of(row.value().key())));
            });
  }

  private static void attachments(
      Reading reading, ListAttachmentsRequest request, String after, Predicate<Attachment> taker) {
    Volumes volumes = new Volumes(reading);
    String prefix = prefix(request.getNamespace(), request.getVolume());
    reading
        .state()
        .walk(
            ClaimTables.ATTACHMENTS,
            prefix,
            Listing.from(prefix, after),
            row -> {
              Lister.requireWanted();
              dev.berth.streams.claims.Attachment attachment = row.value();
              boolean wanted =
                  reading.sees().test(attachment.key().namespace())
                      && ClaimMessages.matches(request.getNode(), attachment.node())
                      && ClaimMessages.matches(request.getPlugin(), attachment.plugin())
                      && ClaimMessages.matches(request.getVolume(), attachment.key().volume());
              return !wanted
                  || taker.test(VolumeMessages.of(attachment, volumes.of(attachment.key())));
            });
  }

  /** The volume looked at last: rows of one follow each other. */
  private static final class Volumes {
    private final Reading reading;
    private @Nullable VolumeKey last;
    private @Nullable VolumeStatus status;

    Volumes(Reading reading) {
      this.reading = reading;
    }

    VolumeStatus of(VolumeKey key) {
      VolumeStatus known = status;
      if (known == null || !key.equals(last)) {
        known = VolumeStatus.of(reading.state(), key, reading.now());
        last = key;
        status = known;
      }
      return known;
    }
  }
}
