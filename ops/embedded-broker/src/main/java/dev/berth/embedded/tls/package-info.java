/** Certificates for trials and tests on one machine. */
@NullMarked
package dev.berth.embedded.tls;

import org.jspecify.annotations.NullMarked;
