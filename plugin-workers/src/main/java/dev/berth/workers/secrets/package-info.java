/** Secret references: resolved where the call is made, and taken out of whatever comes back. */
@NullMarked
package dev.berth.workers.secrets;

import org.jspecify.annotations.NullMarked;
