/**
 * The query and command API {@code berth.v1}: what operators ask, answered from the stores of all
 * instances. Decides nothing; see DESIGN.md.
 */
@NullMarked
package dev.berth.streams.query;

import org.jspecify.annotations.NullMarked;
