/**
 * What comes before the topology: a record whose schema nobody can tell for now is not handed to
 * it, and its topic-partition waits alone.
 */
@NullMarked
package dev.berth.streams.intake;

import org.jspecify.annotations.NullMarked;
