/** The settings that rules depend on, by default, plugin and volume. */
@NullMarked
package dev.berth.streams.policy;

import org.jspecify.annotations.NullMarked;
