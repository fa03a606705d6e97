/** Access to the schema registry: configuration, provisioning, lookups, and what can go wrong. */
@NullMarked
package dev.berth.schemas.registry;

import org.jspecify.annotations.NullMarked;
