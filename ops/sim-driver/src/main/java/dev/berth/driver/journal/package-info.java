/** Files that are only appended to, and survive the death of the process that writes them. */
@NullMarked
package dev.berth.driver.journal;

import org.jspecify.annotations.NullMarked;
