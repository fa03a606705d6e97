/**
 * Proof beyond examples: one simulated world around the three pure deciders, a search through all
 * that can happen in a small one, and what a random walk through a larger one needs. DESIGN.md says
 * what is simulated, what is left out, and what the search can and cannot show.
 */
@NullMarked
package dev.berth.ops.explore;

import org.jspecify.annotations.NullMarked;
