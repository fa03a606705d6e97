/** Between the cores' types and the Avro records of the topics: the only place that knows both. */
@NullMarked
package dev.berth.streams.codec;

import org.jspecify.annotations.NullMarked;
