/** Nodes, plugin instances, fences: what Berth knows of the cluster, and who decides it. Pure. */
@NullMarked
package dev.berth.streams.cluster;

import org.jspecify.annotations.NullMarked;
