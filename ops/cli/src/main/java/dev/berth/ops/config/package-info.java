/** What the command is told about the deployment it talks to. */
@NullMarked
package dev.berth.ops.config;

import org.jspecify.annotations.NullMarked;
