/**
 * The topic catalogue: every topic of Berth in one table, how its records are keyed and spread, and
 * how the topics come to exist on a cluster.
 */
@NullMarked
package dev.berth.schemas.topics;

import org.jspecify.annotations.NullMarked;
