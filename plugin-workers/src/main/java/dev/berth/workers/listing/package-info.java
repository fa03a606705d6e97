/** What plugins list of their volumes: asked page by page, and published as whole snapshots. */
@NullMarked
package dev.berth.workers.listing;

import org.jspecify.annotations.NullMarked;
