package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UsageExampleTest {

  @Test
  void theExampleInTheDocumentationIsTheOneThatRuns() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/dev/berth/producers/UsageExample.java"));
    String example =
        source
            .substring(
                source.indexOf("    // begin\n") + "    // begin\n".length(),
                source.indexOf("    // end\n"))
            .indent(-4);

    assertThat(Files.readString(Path.of("DESIGN.md"))).contains("```java\n" + example + "```\n");
  }
}
