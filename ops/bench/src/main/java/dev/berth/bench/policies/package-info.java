/** Berth against models of its peers, in virtual time. */
@NullMarked
package dev.berth.bench.policies;

import org.jspecify.annotations.NullMarked;
