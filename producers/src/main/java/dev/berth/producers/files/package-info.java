/**
 * Records that people write down: volumes, nodes and plugin instances in YAML or JSON files. {@code
 * FORMAT.md} beside this package tells the fields.
 */
@NullMarked
package dev.berth.producers.files;

import org.jspecify.annotations.NullMarked;
