package dev.berth.streams.lanes;

import org.jspecify.annotations.Nullable;

/**
 * An attach slot in use.
 *
 * @param pending request that reserved it and is not settled; null when none
 * @param mayExist whether the attachment may exist, so that only a detach or an operator frees it
 */
public record SlotUse(@Nullable String pending, boolean mayExist) {}
