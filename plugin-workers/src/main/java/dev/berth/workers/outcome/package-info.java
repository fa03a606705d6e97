/** Reports that must be written however long it takes. */
@NullMarked
package dev.berth.workers.outcome;

import org.jspecify.annotations.NullMarked;
