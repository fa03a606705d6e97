/** What was called, when, and what came of it. */
@NullMarked
package dev.berth.driver.calls;

import org.jspecify.annotations.NullMarked;
