/** The client of the query and command API: connecting, waiting, paging, and what failures mean. */
@NullMarked
package dev.berth.ops.api;

import org.jspecify.annotations.NullMarked;
