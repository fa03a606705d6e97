package dev.berth.streams.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page of policies")
class PolicyPageTest {
  private static final Path PAGE = Path.of("src/main/java/dev/berth/streams/policy/POLICIES.md");

  @Test
  @DisplayName("in the repository is the table in the code")
  void page() throws IOException {
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, PolicyPage.markdown());
    }

    assertThat(PAGE)
        .as("write it anew with: mvn -q -Dquick -Dregenerate -pl streams-app -am package")
        .hasContent(PolicyPage.markdown());
  }
}
