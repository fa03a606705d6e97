package dev.berth.workers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How drivers, most of which are written in Go, show a value in the requests that they quote. */
class EscapedSecretsTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // encoding/json escapes &, < and > unless told otherwise
        "json of Go | pa&ss<1> | pa\\u0026ss\\u003c1\\u003e",
        "json | pa\"ss\\1 | pa\\\"ss\\\\1",
        "json in %q of Go | pa&s\"s\\1 | pa\\\\u0026s\\\\\\\"s\\\\\\\\1",
        "%q of Go | pa\"ss-1234 | pa\\\"ss-1234",
        // url.UserPassword leaves & as it is, url.QueryEscape leaves ~ and takes *
        "user info of an address | p@ss&1234 | p%40ss&1234",
        "query of Go | pa~ss&1*4 | pa~ss%261%2A4",
        "xml | pa&ss<1234 | pa&amp;ss&lt;1234"
      })
  void aValueIsTakenOutHoweverItIsEscaped(String where, String value, String shown) {
    assertThat(Redaction.of(List.of(value)).text("POST " + shown + " failed"))
        .isEqualTo("POST [redacted] failed");
  }
}
