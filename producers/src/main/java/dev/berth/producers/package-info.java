/** The library that schedulers embed to tell Berth of their allocations. */
@NullMarked
package dev.berth.producers;

import org.jspecify.annotations.NullMarked;
