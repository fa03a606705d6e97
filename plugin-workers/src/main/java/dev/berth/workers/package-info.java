/** Workers that accept plugin work and call CSI plugins. */
@NullMarked
package dev.berth.workers;

import org.jspecify.annotations.NullMarked;
