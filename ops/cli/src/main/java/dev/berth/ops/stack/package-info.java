/** The embedded stack: broker, registry, plugins, Streams application and worker in one JVM. */
@NullMarked
package dev.berth.ops.stack;

import org.jspecify.annotations.NullMarked;
