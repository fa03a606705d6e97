package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The meters of the application, on a real broker,")
class MetersIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path directory;
  private static final Topics topics = new Topics("meters");
  private static TestCluster cluster;
  private static BerthApp app;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster(directory);
    cluster.provision(topics);
    app =
        new BerthApp(
            cluster.config(topics, directory.resolve("state"), Map.of()), BerthTopology::build);
    app.start();
    assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
  }

  @AfterAll
  static void stop() {
    app.close();
    cluster.close();
  }

  @Test
  @DisplayName("tell claims, lanes, what was rejected, and what Kafka's own clients count")
  void tell() throws Exception {
    QueriedInput input = new QueriedInput(cluster, topics);
    input.plugin();
    cluster.send(
        List.of(
            new ProducerRecord<>(
                topics.name(Topic.ALLOC_EVENTS),
                "a/v1".getBytes(StandardCharsets.UTF_8),
                new byte[] {9, 9})));
    ManagedChannel channel =
        Grpc.newChannelBuilder(app.apiAddress(), InsecureChannelCredentials.create()).build();
    BerthGrpc.BerthBlockingStub api = BerthGrpc.newBlockingStub(channel);
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(
            () ->
                api.listPlugins(ListPluginsRequest.getDefaultInstance()).getPluginsList().stream()
                    .anyMatch(plugin -> plugin.getHealthyNodes() == 1));
    input.volume("a", "v1");
    input.volume("b", "v2");
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(
            () -> api.listVolumes(ListVolumesRequest.getDefaultInstance()).getVolumesCount() == 2);
    channel.shutdownNow();
    input.claim("a", "v1", "alloc-1");
    input.claim("b", "v2", "alloc-2");

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              String scraped = scrape();
              assertThat(scraped)
                  .contains(
                      "berth_claims{namespace=\"a\",plugin=\"ebs\",state=\"taken\"} 1.0\n",
                      "berth_claims{namespace=\"b\",plugin=\"ebs\",state=\"taken\"} 1.0\n",
                      "berth_claims_waiting{namespace=\"a\",plugin=\"ebs\"} 1.0\n",
                      "berth_lane_open_calls{plugin=\"ebs\"} 1.0\n",
                      "berth_lane_queued_calls{plugin=\"ebs\"} 1.0\n",
                      "berth_lane_utilisation{plugin=\"ebs\"} 1.0\n",
                      "berth_ready 1.0\n");
              assertThat(value(scraped, "berth_lane_oldest_seconds{plugin=\"ebs\"}")).isPositive();
              assertThat(
                      value(
                          scraped,
                          "kafka_stream_berth_rejected_total{[^}]*berth_id=\"meters.alloc-events\"[^}]*}"))
                  .isEqualTo(1);
              assertThat(scraped)
                  .contains("kafka_stream_state_", "kafka_consumer_", "kafka_producer_")
                  .doesNotContain("alloc-1", "v1\"", "hush")
                  .doesNotContain("kafka_stream_state_uncommitted_bytes");
            });
  }

  @Test
  @DisplayName("tell of every stream thread when it last asked for records")
  void polls() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(HungThreads.polling(app.streams().metrics()))
                    .isEqualTo(app.streams().metadataForLocalThreads().size()));
    assertThat(new HungThreads(PATIENCE).among(app.streams().metrics())).isEmpty();
  }

  private static double value(String scraped, String series) {
    Matcher found =
        Pattern.compile("^" + series.replace("{", "\\{") + " (\\S+)$", Pattern.MULTILINE)
            .matcher(scraped);
    return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
  }

  private static String scrape() throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + app.healthPort() + "/metrics"))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
