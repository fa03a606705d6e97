/**
 * The calls of accepted attempts: what may still be sent, what became of it, and the record that
 * says so.
 */
@NullMarked
package dev.berth.workers.call;

import org.jspecify.annotations.NullMarked;
