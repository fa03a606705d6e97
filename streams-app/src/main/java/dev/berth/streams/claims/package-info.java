/**
 * Who may use a volume, and the attach and detach work that follows. Pure: {@link
 * dev.berth.streams.claims.ClaimsDecider} is the way in.
 */
@NullMarked
package dev.berth.streams.claims;

import org.jspecify.annotations.NullMarked;
