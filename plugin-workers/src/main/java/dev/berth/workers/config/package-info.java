/** What a worker is told at its start: one validated, immutable record. */
@NullMarked
package dev.berth.workers.config;

import org.jspecify.annotations.NullMarked;
