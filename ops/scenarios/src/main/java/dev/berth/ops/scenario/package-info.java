/** Scenario files and their runner: the behaviour, executable, in virtual time. */
@NullMarked
package dev.berth.ops.scenario;

import org.jspecify.annotations.NullMarked;
