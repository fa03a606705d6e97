/**
 * Accepting work: which records of a poll this worker takes, made durable in one transaction before
 * anything is called.
 */
@NullMarked
package dev.berth.workers.accept;

import org.jspecify.annotations.NullMarked;
