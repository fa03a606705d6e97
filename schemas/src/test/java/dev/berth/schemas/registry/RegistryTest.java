package dev.berth.schemas.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.berth.records.samples.Sample;
import dev.berth.records.samples.SamplePart;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Registry")
class RegistryTest {

  private static final byte[] RECORD = {0, 0, 0, 0, 7, 2};

  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private volatile Answer answer = new Answer(200, "[]");
  private HttpServer server;

  private record Answer(int status, String body) {}

  @BeforeEach
  void startServer() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          Answer now = answer;
          authorizations.add(
              String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          byte[] body = now.body().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(now.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  @Test
  @DisplayName("provisions every schema with compatibility BACKWARD, twice alike")
  void provisioning() throws Exception {
    try (Registry registry = mock()) {
      Map<String, Schema> schemas =
          Map.of("a-value", Sample.getClassSchema(), "b-value", SamplePart.getClassSchema());

      Map<String, Integer> first = registry.provision(schemas);
      Map<String, Integer> second = registry.provision(schemas);

      assertThat(second).isEqualTo(first).containsOnlyKeys("a-value", "b-value");
      assertThat(registry.client().getCompatibility("a-value")).isEqualTo("BACKWARD");
      assertThat(registry.client().getAllVersions("a-value")).containsExactly(1);
    }
  }

  @Test
  @DisplayName("says which subject refuses a schema")
  void incompatible() {
    answer = new Answer(409, "{\"error_code\":409,\"message\":\"no default for owner\"}");
    try (Registry registry = http()) {
      assertThatThrownBy(() -> registry.idFor("a-value", SamplePart.getClassSchema()))
          .isInstanceOf(SchemaRefusedException.class)
          .hasMessageContaining("subject a-value")
          .hasMessageContaining("no default for owner");
    }
  }

  @Test
  @DisplayName("registers nothing while writing when that is switched off")
  void lookUpOnly() {
    String url = "mock://" + UUID.randomUUID();
    try (Registry provisioning = Registry.connect(Map.of("schema.registry.url", url));
        Registry registry =
            Registry.connect(
                Map.of("schema.registry.url", url, "auto.register.schemas", "false"))) {
      AvroSerde<SamplePart> serde = AvroSerde.of(registry, SamplePart.class);
      SamplePart part = new SamplePart("p", 1L);
      Map<String, Schema> schemas = Map.of("parts-value", SamplePart.getClassSchema());

      assertThatThrownBy(() -> serde.serializer().serialize("parts", part))
          .isInstanceOf(SchemaRefusedException.class)
          .hasMessageContaining("parts-value")
          .hasMessageContaining("auto.register.schemas=true");
      assertThatThrownBy(() -> registry.ensure(schemas))
          .isInstanceOf(SchemaRefusedException.class)
          .hasMessageContaining("parts-value")
          .hasMessageContaining("auto.register.schemas=true");
      provisioning.provision(schemas);
      registry.ensure(schemas);
      assertThat(serde.serializer().serialize("parts", part)).isNotEmpty();
    }
  }

  @Test
  @DisplayName("a record is unreadable only when the registry itself does not know its schema")
  void unknownSchema() {
    answer = new Answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}");

    assertThatThrownBy(this::readRecord)
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("id 7");
  }

  @Test
  @DisplayName("a record of a schema that is not Avro is unreadable")
  void notAvro() {
    answer = new Answer(200, "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}");

    assertThatThrownBy(this::readRecord).isInstanceOf(UnreadableRecordException.class);
  }

  @Test
  @DisplayName("a failing, refusing or wrong server says nothing about a record")
  void unavailable() {
    List<Answer> answers =
        List.of(
            new Answer(500, "{\"error_code\":50001,\"message\":\"store\"}"),
            new Answer(401, "{\"error_code\":40101,\"message\":\"who\"}"),
            new Answer(404, "<html>nginx</html>"),
            new Answer(404, "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}"),
            new Answer(200, "not json"));

    for (Answer each : answers) {
      answer = each;
      assertThatThrownBy(this::readRecord)
          .as("%s", each)
          .isInstanceOf(RegistryUnavailableException.class);
    }
    server.stop(0);
    assertThatThrownBy(this::readRecord).isInstanceOf(RegistryUnavailableException.class);
  }

  @Test
  @DisplayName("reads the record once the registry is back")
  void recovers() throws Exception {
    answer = new Answer(503, "");
    try (Registry registry = http()) {
      var deserializer = AvroSerde.of(registry, SamplePart.class).deserializer();
      byte[] bytes = {0, 0, 0, 0, 7, 2, 'p', 10};

      assertThatThrownBy(() -> deserializer.deserialize("parts", bytes))
          .isInstanceOf(RegistryUnavailableException.class);
      String schema = SamplePart.getClassSchema().toString().replace("\"", "\\\"");
      answer = new Answer(200, "{\"schema\":\"" + schema + "\"}");

      assertThat(deserializer.deserialize("parts", bytes)).isEqualTo(new SamplePart("p", 5L));
    }
  }

  @Test
  @DisplayName("waits until the registry answers")
  void awaits() {
    answer = new Answer(503, "");
    try (Registry registry = http()) {
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(() -> registry.awaitAvailable(Duration.ofSeconds(30)));
      await().until(() -> authorizations.size() >= 2);
      assertThat(waiting).isNotDone();

      answer = new Answer(200, "[]");

      await().untilAsserted(() -> assertThat(waiting).isCompleted());
    }
  }

  @Test
  @DisplayName("gives up waiting with the address and without credentials")
  void givesUp() {
    server.stop(0);
    try (Registry registry =
        Registry.connect(
            Map.of("schema.registry.url", address().replace("://", "://me:geheim@")))) {
      assertThatThrownBy(() -> registry.awaitAvailable(Duration.ZERO))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining(address())
          .hasMessageNotContaining("geheim");
    }
  }

  @Test
  @DisplayName("does not wait for a registry that refuses the credentials")
  void refusedLogin() {
    answer = new Answer(401, "{\"error_code\":40101,\"message\":\"who\"}");
    try (Registry registry = http()) {
      assertThatThrownBy(() -> registry.awaitAvailable(Duration.ofMinutes(10)))
          .isInstanceOf(RegistryUnavailableException.class)
          .hasMessageContaining("credentials");
    }
  }

  @Test
  @DisplayName("sends basic and bearer credentials")
  void credentials() {
    Map<String, String> basic =
        Map.of("basic.auth.credentials.source", "USER_INFO", "basic.auth.user.info", "me:pw");
    Map<String, String> bearer =
        Map.of("bearer.auth.credentials.source", "STATIC_TOKEN", "bearer.auth.token", "abc");

    for (Map<String, String> settings : List.of(basic, bearer)) {
      Map<String, String> all = new java.util.HashMap<>(settings);
      all.put("schema.registry.url", address());
      try (Registry registry = Registry.connect(all)) {
        registry.awaitAvailable(Duration.ZERO);
      }
    }

    assertThat(authorizations).containsExactly("Basic bWU6cHc=", "Bearer abc");
  }

  @Test
  @DisplayName("goes to the next address when one does not answer")
  void failover() {
    answer = new Answer(200, "[]");
    try (Registry registry =
        Registry.connect(Map.of("schema.registry.url", "http://127.0.0.1:1," + address()))) {
      registry.awaitAvailable(Duration.ZERO);

      assertThat(authorizations).hasSize(1);
    }
  }

  @Test
  @DisplayName("works over a client that exists")
  void overClient() {
    try (Registry registry = Registry.over(new MockSchemaRegistryClient())) {
      int id = registry.idFor("a-value", SamplePart.getClassSchema());

      assertThat(registry.schemaById(id)).isPresent();
      assertThat(registry.schemaById(id + 1)).isEmpty();
    }
  }

  @Test
  @DisplayName("knows without asking what it has registered or learnt, every version of it")
  void learns() throws Exception {
    MockSchemaRegistryClient client = new MockSchemaRegistryClient();
    Schema first = new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[]}");
    Schema second =
        new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[],\"version\":\"2\"}");
    int firstId = client.register("r-value", new AvroSchema(first));
    int secondId = client.register("r-value", new AvroSchema(second));
    try (Registry registry = Registry.over(client)) {
      assertThat(registry.knows(firstId)).isFalse();

      registry.learn(List.of("r-value", "not-there-yet-value"));

      assertThat(List.of(firstId, secondId)).allMatch(registry::knows);
    }
  }

  private void readRecord() {
    try (Registry registry = http()) {
      AvroSerde.of(registry, SamplePart.class).deserializer().deserialize("parts", RECORD);
    }
  }

  private Registry http() {
    return Registry.connect(Map.of("schema.registry.url", address()));
  }

  private static Registry mock() {
    return Registry.connect(Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }
}
