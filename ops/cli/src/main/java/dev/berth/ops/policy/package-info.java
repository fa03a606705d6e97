/** The policies that operators have published, and what a change of them puts at risk. Pure. */
@NullMarked
package dev.berth.ops.policy;

import org.jspecify.annotations.NullMarked;
