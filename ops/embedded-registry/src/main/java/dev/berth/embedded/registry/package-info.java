/** A schema registry inside this process, for development and tests. */
@NullMarked
package dev.berth.embedded.registry;

import org.jspecify.annotations.NullMarked;
