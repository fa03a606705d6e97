package dev.berth.streams.cluster;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A plugin record. It is made with the plugin's first instance and removed when it has had none for
 * the plugin-gc threshold.
 *
 * @param plugin plugin id
 * @param controllerRequired sticky: has had a controller instance since the record was made
 *     (nomad#18235)
 * @param emptySince when the last instance went; null while there is one
 */
public record PluginView(String plugin, boolean controllerRequired, @Nullable Instant emptySince) {}
