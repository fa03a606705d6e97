package dev.berth.bench.table;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.Command;
import dev.berth.records.DesiredStatus;
import dev.berth.records.RegisterVolume;
import dev.berth.records.Unmounted;
import dev.berth.records.VolumeSpec;
import java.time.Instant;
import java.util.List;

/** What schedulers say of the volumes of the bench. */
final class Events {
  static final String SCHEDULER = "bench";

  /** Events of one life: a claim, the end of the alloc, and its unmount (count). */
  static final int OF_A_LIFE = 3;

  private Events() {}

  static Command register(TableVolume volume, Instant at) {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace(TableVolume.NAMESPACE)
            .setVolume(volume.id())
            .setPlugin(volume.plugin())
            .setExternalId(volume.id())
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .build();
    return new Command("register-" + volume.id(), SCHEDULER, "", at, new RegisterVolume(spec));
  }

  static AllocEvent claim(TableVolume volume, int use, Instant at) {
    ClaimRequested body =
        ClaimRequested.newBuilder()
            .setRequestId("request-" + volume.alloc(use))
            .setNode(TableVolume.NODE)
            .setJob("job")
            .setMode(ClaimMode.WRITE)
            .setAccess(AccessMode.SINGLE_NODE_WRITER)
            .build();
    return event(volume, use, 1, at, body);
  }

  /** The alloc has ended, and its client has unmounted. */
  static List<AllocEvent> end(TableVolume volume, int use, Instant at) {
    return List.of(
        event(
            volume, use, 2, at, new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP)),
        event(volume, use, 3, at, new Unmounted(null)));
  }

  private static AllocEvent event(
      TableVolume volume, int use, long index, Instant at, Object body) {
    return new AllocEvent(
        SCHEDULER, index, TableVolume.NAMESPACE, volume.id(), volume.alloc(use), at, body);
  }
}
