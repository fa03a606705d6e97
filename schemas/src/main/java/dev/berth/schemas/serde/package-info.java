/** Avro records on topics, in the wire format that Confluent's tools read and write. */
@NullMarked
package dev.berth.schemas.serde;

import org.jspecify.annotations.NullMarked;
