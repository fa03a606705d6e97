/** CSI over gRPC: connections to plugins, requests made of calls, and what became of them. */
@NullMarked
package dev.berth.workers.csi;

import org.jspecify.annotations.NullMarked;
