/** What the driver is told to do instead of, or besides, answering well. */
@NullMarked
package dev.berth.driver.script;

import org.jspecify.annotations.NullMarked;
