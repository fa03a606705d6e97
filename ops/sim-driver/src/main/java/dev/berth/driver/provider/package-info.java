/** The storage provider behind the drivers: volumes, nodes, attachments and mounts in memory. */
@NullMarked
package dev.berth.driver.provider;

import org.jspecify.annotations.NullMarked;
