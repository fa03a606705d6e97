/** Where the process logs to; never to the terminal. */
@NullMarked
package dev.berth.ops.logging;

import org.jspecify.annotations.NullMarked;
