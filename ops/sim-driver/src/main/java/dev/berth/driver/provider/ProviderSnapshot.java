package dev.berth.driver.provider;

import java.util.List;

/** Everything a provider holds at one moment, each list sorted by id. */
public record ProviderSnapshot(
    List<Volume> volumes,
    List<ProviderNode> nodes,
    List<Attachment> attachments,
    List<Mount> mounts) {

  public ProviderSnapshot {
    volumes = List.copyOf(volumes);
    nodes = List.copyOf(nodes);
    attachments = List.copyOf(attachments);
    mounts = List.copyOf(mounts);
  }
}
