package dev.berth.embedded.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.CachedSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Embedded registry")
class EmbeddedRegistryIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Schema FIRST =
      SchemaBuilder.record("R").namespace("x").fields().requiredString("a").endRecord();
  private static final Schema COMPATIBLE =
      SchemaBuilder.record("R")
          .namespace("x")
          .fields()
          .requiredString("a")
          .optionalString("b")
          .endRecord();
  private static final Schema INCOMPATIBLE =
      SchemaBuilder.record("R").namespace("x").fields().requiredLong("n").endRecord();

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir Path directory;
  private EmbeddedRegistry registry;

  @BeforeEach
  void start() {
    registry = EmbeddedRegistry.start(directory);
  }

  @AfterEach
  void stop() {
    registry.close();
  }

  @Test
  @DisplayName("serves Confluent's Java client")
  void javaClient() throws Exception {
    SchemaRegistryClient client = client();

    int first = client.register("s", new AvroSchema(FIRST));
    int second = client.register("s", new AvroSchema(COMPATIBLE), true);
    client.updateCompatibility("s", "FULL");

    assertThat(client.register("s", new AvroSchema(FIRST))).isEqualTo(first);
    assertThat(client.getSchemaById(second).rawSchema()).isEqualTo(COMPATIBLE);
    assertThat(client.getId("s", new AvroSchema(FIRST))).isEqualTo(first);
    assertThat(client.getVersion("s", new AvroSchema(COMPATIBLE))).isEqualTo(2);
    assertThat(client.getAllVersions("s")).containsExactly(1, 2);
    assertThat(client.getAllSubjects()).containsExactly("s");
    assertThat(client.getAllSubjectsById(first)).containsExactly("s");
    assertThat(client.getLatestSchemaMetadata("s").getId()).isEqualTo(second);
    assertThat(client.testCompatibility("s", new AvroSchema(INCOMPATIBLE))).isFalse();
    assertThat(client.getCompatibility("s")).isEqualTo("FULL");
    assertThat(client.getMode()).isEqualTo("READWRITE");
  }

  @Test
  @DisplayName("keeps ids, versions, levels and its address over a restart")
  void restart() throws Exception {
    int other = client().register("other", new AvroSchema(INCOMPATIBLE));
    int first = client().register("s", new AvroSchema(FIRST));
    client().updateCompatibility("s", "FULL_TRANSITIVE");
    JsonNode before = get("/subjects/s/versions/latest");
    String address = registry.url();

    registry.close();
    registry = EmbeddedRegistry.start(directory);

    assertThat(registry.url()).isEqualTo(address);
    assertThat(get("/subjects/s/versions/latest")).isEqualTo(before);
    assertThat(client().getSchemaById(other).rawSchema()).isEqualTo(INCOMPATIBLE);
    assertThat(client().getCompatibility("s")).isEqualTo("FULL_TRANSITIVE");
    assertThat(client().register("s", new AvroSchema(COMPATIBLE))).isNotIn(other, first);
  }

  @Test
  @DisplayName("gives one id when many clients register at once")
  void concurrentRegistration() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String subject = "s" + i % 4;
        calls.add(() -> client().register(subject, new AvroSchema(FIRST)));
      }
      Set<Integer> ids = new HashSet<>();
      for (Future<Integer> id : threads.invokeAll(calls)) {
        ids.add(id.get());
      }

      assertThat(ids).hasSize(1);
      assertThat(get("/subjects/s0/versions")).hasToString("[1]");
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @DisplayName("refuses a schema that cannot read its predecessor, and keeps the old one")
  void incompatible() throws Exception {
    client().register("s", new AvroSchema(FIRST));

    assertThatThrownBy(() -> client().register("s", new AvroSchema(INCOMPATIBLE)))
        .isInstanceOfSatisfying(
            RestClientException.class,
            e -> {
              assertThat(e.getStatus()).isEqualTo(409);
              assertThat(e.getErrorCode()).isEqualTo(409);
              assertThat(e).hasMessageContaining("READER_FIELD_MISSING_DEFAULT_VALUE");
            });
    assertThat(get("/subjects/s/versions")).hasToString("[1]");
  }

  @Test
  @DisplayName("goes by the level of the subject, else by the global one")
  void levels() throws Exception {
    client().register("s", new AvroSchema(FIRST));
    assertProblem(get("/config/s"), 40408);
    assertThat(get("/config/s?defaultToGlobal=true").path("compatibilityLevel").asText())
        .isEqualTo("BACKWARD");

    put("/config", "{\"compatibility\":\"NONE\"}");
    client().register("s", new AvroSchema(INCOMPATIBLE));
    put("/config/s", "{\"compatibility\":\"FULL\"}");

    assertThat(get("/config").path("compatibilityLevel").asText()).isEqualTo("NONE");
    assertThat(get("/config/s").path("compatibilityLevel").asText()).isEqualTo("FULL");
    assertProblem(put("/config/s", "{\"compatibility\":\"SOME\"}"), 42203);
    assertThat(send("DELETE", "/config/s", "").path("compatibilityLevel").asText())
        .isEqualTo("FULL");
    assertProblem(get("/config/s"), 40408);
  }

  @Test
  @DisplayName("answers by id, for every form a reader may ask")
  void byId() throws Exception {
    int id = client().register("s", new AvroSchema(FIRST));
    client().register("t", new AvroSchema(FIRST));

    assertThat(get("/schemas/ids/" + id).path("schema").asText()).isEqualTo(FIRST.toString());
    assertThat(get("/schemas/ids/" + id + "/schema")).isEqualTo(JSON.readTree(FIRST.toString()));
    assertThat(get("/schemas/ids/" + id + "/subjects")).hasToString("[\"s\",\"t\"]");
    assertThat(get("/schemas/ids/" + id + "/versions"))
        .isEqualTo(
            JSON.readTree("[{\"subject\":\"s\",\"version\":1},{\"subject\":\"t\",\"version\":1}]"));
    assertThat(get("/schemas/types")).hasToString("[\"AVRO\"]");
    assertThat(get("/schemas?subjectPrefix=t")).hasSize(1);
    assertProblem(get("/schemas/ids/99"), 40403);
    assertProblem(get("/schemas/ids/99/versions"), 40403);
  }

  @Test
  @DisplayName("answers by subject and version, and names what is missing")
  void bySubject() throws Exception {
    int id = client().register("s", new AvroSchema(FIRST));

    assertThat(get("/subjects/s/versions/1"))
        .isEqualTo(
            JSON.createObjectNode()
                .put("subject", "s")
                .put("version", 1)
                .put("id", id)
                .put("schema", FIRST.toString()));
    assertThat(get("/subjects/s/versions/latest/schema"))
        .isEqualTo(JSON.readTree(FIRST.toString()));
    assertProblem(get("/subjects/t/versions"), 40401);
    assertProblem(get("/subjects/t/versions/1"), 40401);
    assertProblem(get("/subjects/s/versions/2"), 40402);
    assertProblem(get("/subjects/s/versions/0"), 42202);
    assertProblem(post("/subjects/t", body(FIRST)), 40401);
    assertProblem(post("/subjects/s", body(COMPATIBLE)), 40403);
    assertThat(post("/subjects/s", body(FIRST)).path("version").asInt()).isEqualTo(1);
  }

  @Test
  @DisplayName("tests compatibility without registering")
  void compatibility() throws Exception {
    client().register("s", new AvroSchema(FIRST));
    String path = "/compatibility/subjects/s/versions/latest?verbose=true";

    assertThat(post(path, body(COMPATIBLE)).path("is_compatible").asBoolean()).isTrue();
    JsonNode refused = post(path, body(INCOMPATIBLE));
    assertThat(refused.path("is_compatible").asBoolean()).isFalse();
    assertThat(refused.path("messages")).isNotEmpty();
    assertThat(
            post("/compatibility/subjects/new/versions/latest", body(FIRST))
                .path("is_compatible")
                .asBoolean())
        .isTrue();
    assertProblem(post("/compatibility/subjects/s/versions/7", body(FIRST)), 40402);
    assertThat(get("/subjects/s/versions")).hasToString("[1]");
  }

  @Test
  @DisplayName("takes two spellings of a schema for one when asked to normalize")
  void normalized() throws Exception {
    String spelled =
        "{\"name\":\"R\",\"type\":\"record\",\"namespace\":\"x\",\"fields\":[{\"type\":{\"type\":\"string\"},\"name\":\"a\"}]}";
    int id = client().register("s", new AvroSchema(FIRST), true);

    JsonNode again =
        post(
            "/subjects/s/versions?normalize=true",
            JSON.createObjectNode().put("schema", spelled).toString());

    assertThat(again.path("id").asInt()).isEqualTo(id);
  }

  @Test
  @DisplayName("resolves schemas that name others")
  void references() throws Exception {
    client().register("s", new AvroSchema(FIRST));
    ObjectNode body =
        JSON.createObjectNode()
            .put(
                "schema",
                "{\"type\":\"record\",\"name\":\"Outer\",\"fields\":[{\"name\":\"r\",\"type\":\"x.R\"}]}");
    body.putArray("references")
        .addObject()
        .put("name", "x.R")
        .put("subject", "s")
        .put("version", 1);

    int id = post("/subjects/outer/versions", body.toString()).path("id").asInt();

    assertThat(client().getSchemaById(id).name()).isEqualTo("Outer");
    assertThat(get("/subjects/s/versions/1/referencedby")).hasToString("[" + id + "]");
    registry.close();
    registry = EmbeddedRegistry.start(directory);
    assertThat(get("/schemas/ids/" + id).path("references")).hasSize(1);
  }

  @Test
  @DisplayName("keeps what ids mean when subjects and versions are deleted")
  void deletion() throws Exception {
    int first = client().register("s", new AvroSchema(FIRST));
    int second = client().register("s", new AvroSchema(COMPATIBLE));

    assertProblem(send("DELETE", "/subjects/s?permanent=true", ""), 40405);
    assertThat(send("DELETE", "/subjects/s/versions/latest", "")).hasToString("2");
    assertThat(get("/subjects/s/versions")).hasToString("[1]");
    assertThat(send("DELETE", "/subjects/s", "")).hasToString("[1]");
    assertThat(get("/subjects")).hasToString("[]");
    assertThat(get("/subjects?deleted=true")).hasToString("[\"s\"]");
    assertThat(send("DELETE", "/subjects/s?permanent=true", "")).hasToString("[1,2]");
    assertThat(get("/subjects?deleted=true")).hasToString("[]");

    registry.close();
    registry = EmbeddedRegistry.start(directory);
    assertThat(client().getSchemaById(second).rawSchema()).isEqualTo(COMPATIBLE);
    assertThat(client().register("s", new AvroSchema(FIRST))).isEqualTo(first);
    assertProblem(send("DELETE", "/subjects/t", ""), 40401);
  }

  @Test
  @DisplayName("registers nothing in read-only mode")
  void readOnly() throws Exception {
    put("/mode", "{\"mode\":\"READONLY\"}");

    assertProblem(post("/subjects/s/versions", body(FIRST)), 42205);
    assertProblem(put("/mode/s", "{\"mode\":\"ASLEEP\"}"), 42204);
    put("/mode/s", "{\"mode\":\"READWRITE\"}");
    assertThat(post("/subjects/s/versions", body(FIRST)).path("id").asInt()).isEqualTo(1);
  }

  @Test
  @DisplayName("takes a subject's name as it is, whatever is in it")
  void subjectNames() throws Exception {
    String encoded = "a%2Fb%20c+d%25";

    post("/subjects/" + encoded + "/versions", body(FIRST));

    assertThat(get("/subjects")).hasToString("[\"a/b c+d%\"]");
    assertThat(get("/subjects/" + encoded + "/versions")).hasToString("[1]");
  }

  @Test
  @DisplayName("says what is wrong with a request")
  void badRequests() throws Exception {
    assertProblem(post("/subjects/s/versions", "{\"schema\":\"{}\"}"), 42201);
    assertProblem(
        post("/subjects/s/versions", "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}"), 42201);
    assertProblem(post("/subjects/s/versions", "{}"), 400);
    assertProblem(post("/subjects/s/versions", "{"), 400);
    assertProblem(get("/nowhere"), 404);
    assertProblem(send("PATCH", "/subjects", ""), 405);
    HttpResponse<String> root = response("GET", "/", "");
    assertThat(root.body()).isEqualTo("{}");
    assertThat(root.headers().firstValue("content-type"))
        .hasValue("application/vnd.schemaregistry.v1+json");
  }

  @Test
  @DisplayName("belongs to one process, and takes only the port it is told")
  void exclusive(@TempDir Path other) {
    assertThatThrownBy(() -> EmbeddedRegistry.start(directory))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("in use");
    assertThatThrownBy(() -> EmbeddedRegistry.start(other, registry.port()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("port " + registry.port());
  }

  private SchemaRegistryClient client() {
    return new CachedSchemaRegistryClient(registry.url(), 10);
  }

  private static String body(Schema schema) {
    return JSON.createObjectNode().put("schema", schema.toString()).toString();
  }

  private JsonNode get(String path) throws Exception {
    return send("GET", path, "");
  }

  private JsonNode post(String path, String body) throws Exception {
    return send("POST", path, body);
  }

  private JsonNode put(String path, String body) throws Exception {
    return send("PUT", path, body);
  }

  private JsonNode send(String method, String path, String body) throws Exception {
    return JSON.readTree(response(method, path, body).body());
  }

  private HttpResponse<String> response(String method, String path, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(registry.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static void assertProblem(JsonNode answer, int code) {
    assertThat(answer.path("error_code").asInt()).as("%s", answer).isEqualTo(code);
    assertThat(answer.path("message").asText()).isNotEmpty();
  }
}
