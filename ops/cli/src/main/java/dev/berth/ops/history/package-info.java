/** What the tables of a volume were at a time, rebuilt from the topics. */
@NullMarked
package dev.berth.ops.history;

import org.jspecify.annotations.NullMarked;
