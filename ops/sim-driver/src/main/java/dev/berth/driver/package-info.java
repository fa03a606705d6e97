/** A simulated CSI driver that speaks real CSI and can be told to misbehave. */
@NullMarked
package dev.berth.driver;

import org.jspecify.annotations.NullMarked;
