/** What a node worker knows of its node, and which work it therefore refuses. */
@NullMarked
package dev.berth.workers.node;

import org.jspecify.annotations.NullMarked;
