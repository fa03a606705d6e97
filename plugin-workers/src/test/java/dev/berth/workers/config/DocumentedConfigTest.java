package dev.berth.workers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DocumentedConfigTest {

  @Test
  void theConfigurationInTheDocumentationIsUsable() throws IOException {
    String page = Files.readString(Path.of("DESIGN.md"));
    int begin = page.indexOf("```properties\n") + "```properties\n".length();
    Properties properties = new Properties();
    properties.load(new StringReader(page.substring(begin, page.indexOf("```", begin))));
    Map<String, String> settings =
        properties.stringPropertyNames().stream()
            .collect(Collectors.toMap(key -> key, properties::getProperty));

    assertThat(WorkerConfig.parse(settings).endpoints())
        .extracting(EndpointConfig::name)
        .containsExactly("ebs-controller", "ebs-node");
  }
}
