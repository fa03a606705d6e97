/** Avro schemas, generated records, their serde and the topic catalogue. */
@NullMarked
package dev.berth.schemas;

import org.jspecify.annotations.NullMarked;
