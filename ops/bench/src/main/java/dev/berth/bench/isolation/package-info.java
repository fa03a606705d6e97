/** What one plugin, or one kind of work, takes from the others. */
@NullMarked
package dev.berth.bench.isolation;

import org.jspecify.annotations.NullMarked;
