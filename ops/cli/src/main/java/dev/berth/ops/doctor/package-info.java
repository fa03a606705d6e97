/** Whether a deployment is as Berth needs it, each check with its remedy. */
@NullMarked
package dev.berth.ops.doctor;

import org.jspecify.annotations.NullMarked;
