/** Tells people of stuck claims: a consumer of {@code stuck-claims} that calls a webhook. */
@NullMarked
package dev.berth.ops.alert;

import org.jspecify.annotations.NullMarked;
