package dev.berth.workers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {

  @Test
  void everyValueIsTakenOutWhereverItStands() {
    assertThat(
            Redaction.of(List.of("hush-4711", "s3cr3t"))
                .text("login with hush-4711:s3cr3t failed (hush-4711)"))
        .isEqualTo("login with [redacted]:[redacted] failed ([redacted])");
  }

  @Test
  void theLongerValueGoesFirstSoThatNoRestOfItStays() {
    assertThat(Redaction.of(List.of("hush", "hush-4711")).text("hush-4711 and hush"))
        .isEqualTo("[redacted] and [redacted]");
  }

  @Test
  void aValueThatLooksLikeOurReplacementLeavesItAlone() {
    assertThat(Redaction.of(List.of("redacted", "a")).text("a redacted b"))
        .isEqualTo("[redacted] [redacted] b");
  }

  @Test
  void valuesAreTakenLiterally() {
    assertThat(Redaction.of(List.of("a.c$1\\Q")).text("abc a.c$1\\Q")).isEqualTo("abc [redacted]");
  }

  @Test
  void emptyValuesAreIgnored() {
    assertThat(Redaction.of(List.of("")).text("nothing to hide")).isEqualTo("nothing to hide");
    assertThat(Redaction.none().text("nothing to hide")).isEqualTo("nothing to hide");
  }

  @Test
  void aPluginMayTrimAValueOrQuoteALineOfIt() {
    String key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nab\n-----END KEY-----\n";

    assertThat(Redaction.of(List.of(key)).text("bad line MIIEvQIBADANBg in file"))
        .isEqualTo("bad line [redacted] in file");
    assertThat(Redaction.of(List.of("hush-4711\n")).text("'hush-4711'")).isEqualTo("'[redacted]'");
  }

  @Test
  void aPluginMayShowAValueAsItWasSent() {
    Redaction redaction = Redaction.of(List.of("hush 4711/?>"));

    assertThat(redaction.text("Basic aHVzaCA0NzExLz8+")).isEqualTo("Basic [redacted]");
    assertThat(
            redaction.text(
                "token aHVzaCA0NzExLz8-, key=hush+4711%2F%3F%3E or hush%204711%2F%3F%3E"))
        .isEqualTo("token [redacted], key=[redacted] or [redacted]");
    assertThat(Redaction.of(List.of("abc")).text("YWJj")).isEqualTo("YWJj");
  }

  @Test
  void aPublishContextLosesValuesButNotWhatMerelyLooksLikeAShortOne() {
    assertThat(
            Redaction.of(List.of("1", "hush-4711"))
                .context(Map.of("lun", "1", "chap", "user:hush-4711")))
        .isEqualTo(Map.of("lun", "1", "chap", "user:[redacted]"));
  }
}
