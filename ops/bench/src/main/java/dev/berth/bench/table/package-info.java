/** How fast the topology takes events, beside a topology that decides nothing; and large tables. */
@NullMarked
package dev.berth.bench.table;

import org.jspecify.annotations.NullMarked;
