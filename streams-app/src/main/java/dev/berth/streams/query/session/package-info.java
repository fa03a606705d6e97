/**
 * One-time tokens, and the short sessions that browsers are given for them. See DESIGN.md of the
 * package above.
 */
@NullMarked
package dev.berth.streams.query.session;

import org.jspecify.annotations.NullMarked;
