package dev.berth.schemas.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TopicTableTest {

  private static final KeptFile PAGE = new KeptFile(Path.of("TOPICS.md"));

  @Test
  void thePageInTheRepositoryIsTheCatalogue() {
    if (KeptFile.isRegenerating()) {
      PAGE.write(TopicTable.markdown());
    }

    assertThat(PAGE.read())
        .as("schemas/TOPICS.md; write it anew with: %s", KeptFile.REGENERATE)
        .contains(TopicTable.markdown());
  }
}
