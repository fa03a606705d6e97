/** Checks over a call log and a provider: what a well-behaved caller never does. */
@NullMarked
package dev.berth.driver.audit;

import org.jspecify.annotations.NullMarked;
