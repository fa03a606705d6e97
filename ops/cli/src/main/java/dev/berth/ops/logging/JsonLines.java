package dev.berth.ops.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.slf4j.event.KeyValuePair;

/**
 * A JSON object a line: {@code at}, {@code level}, {@code logger}, {@code thread}, {@code message},
 * what the message names ({@code volume}, {@code alloc}, {@code plugin}, {@code attempt} and so on,
 * see {@link MessageFields}) as fields beside them, and {@code error} with the stack.
 *
 * <p>Logback's own JSON encoder hides such fields in lists, where collectors do not look.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ObjectNode line = JSON.createObjectNode();
    line.put("at", event.getInstant().toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("thread", event.getThreadName());
    line.put("message", event.getFormattedMessage());
    MessageFields.of(String.valueOf(event.getMessage()), event.getArgumentArray())
        .forEach((key, value) -> put(line, key, value));
    event.getMDCPropertyMap().forEach((key, value) -> put(line, key, value));
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        put(line, pair.key, String.valueOf(pair.value));
      }
    }
    if (event.getThrowableProxy() != null) {
      line.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** What every line has is not replaced by what a message names. */
  private static void put(ObjectNode line, String key, String value) {
    line.put(line.has(key) ? "field." + key : key, value);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
