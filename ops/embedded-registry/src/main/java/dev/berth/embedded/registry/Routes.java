package dev.berth.embedded.registry;

import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.berth.embedded.registry.SubjectTable.StoredSchema;
import dev.berth.embedded.registry.SubjectTable.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The REST API as a table: which method and path asks for what. It is the part of Confluent's API
 * that its Java and JavaScript clients and Kafka user interfaces call.
 *
 * @see <a href="https://docs.confluent.io/platform/current/schema-registry/develop/api.html">Schema
 *     Registry API</a>
 */
final class Routes {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers one kind of request; the answer is written as JSON. */
  @FunctionalInterface
  interface Endpoint {
    Object answer(ApiRequest request);
  }

  private record Route(String method, Pattern path, Endpoint endpoint) {}

  /**
   * Who answers a request.
   *
   * @param path the variable parts of its path, decoded
   */
  record Match(List<String> path, Endpoint endpoint) {}

  private final RegistryStore store;
  private final List<Route> table = new ArrayList<>();

  Routes(RegistryStore store) {
    this.store = store;
    route("GET", "/", r -> Map.of());
    subjects();
    schemas();
    settings();
  }

  /**
   * Finds who answers a request.
   *
   * @param rawPath the path as it was sent: a subject may hold an encoded slash
   * @throws RegistryProblem when nobody does
   */
  Match match(String method, String rawPath) {
    boolean pathKnown = false;
    for (Route route : table) {
      Matcher matcher = route.path().matcher(rawPath);
      if (matcher.matches()) {
        if (route.method().equals(method)) {
          return new Match(variables(matcher), route.endpoint());
        }
        pathKnown = true;
      }
    }
    throw pathKnown
        ? RegistryProblem.methodNotAllowed(method)
        : RegistryProblem.noSuchPath(rawPath);
  }

  private void subjects() {
    route(
        "GET",
        "/subjects",
        r ->
            store.subjects(r.flag("deleted")).stream()
                .filter(s -> s.startsWith(r.query().getOrDefault("subjectPrefix", "")))
                .collect(toList()));
    route(
        "POST",
        "/subjects/{}",
        r ->
            full(
                store.lookUp(
                    r.subject(),
                    r.schema(),
                    r.references(),
                    r.flag("normalize"),
                    r.flag("deleted"))));
    route("DELETE", "/subjects/{}", r -> store.deleteSubject(r.subject(), r.flag("permanent")));
    route(
        "GET",
        "/subjects/{}/versions",
        r -> numbers(store.versions(r.subject(), r.flag("deleted"))));
    route(
        "POST",
        "/subjects/{}/versions",
        r ->
            Map.of(
                "id",
                store.register(r.subject(), r.schema(), r.references(), r.flag("normalize")).id()));
    route("GET", "/subjects/{}/versions/{}", r -> full(version(r)));
    route("GET", "/subjects/{}/versions/{}/schema", r -> raw(version(r).schema()));
    route("GET", "/subjects/{}/versions/{}/referencedby", r -> store.referencedBy(version(r)));
    route(
        "DELETE",
        "/subjects/{}/versions/{}",
        r -> store.deleteVersion(r.subject(), r.version(1), r.flag("permanent")));
    route("POST", "/compatibility/subjects/{}/versions", r -> compatibility(r, false));
    route("POST", "/compatibility/subjects/{}/versions/{}", r -> compatibility(r, true));
  }

  private void schemas() {
    route(
        "GET",
        "/schemas",
        r ->
            store.subjects(r.flag("deleted")).stream()
                .filter(s -> s.startsWith(r.query().getOrDefault("subjectPrefix", "")))
                .flatMap(s -> listed(r, s).stream())
                .map(Routes::full)
                .collect(toList()));
    route("GET", "/schemas/types", r -> List.of("AVRO"));
    route("GET", "/schemas/ids/{}", r -> schemaOnly(store.schema(r.schemaId())));
    route("GET", "/schemas/ids/{}/schema", r -> raw(store.schema(r.schemaId())));
    route(
        "GET",
        "/schemas/ids/{}/subjects",
        r -> store.versionsOf(r.schemaId()).stream().map(Version::subject).distinct().toList());
    route(
        "GET",
        "/schemas/ids/{}/versions",
        r ->
            store.versionsOf(r.schemaId()).stream()
                .map(v -> Map.of("subject", v.subject(), "version", v.version()))
                .toList());
  }

  private void settings() {
    route("GET", "/config", r -> Map.of("compatibilityLevel", store.level(null, true)));
    route(
        "PUT",
        "/config",
        r -> Map.of("compatibility", store.setLevel(null, r.text("compatibility"))));
    route("DELETE", "/config", r -> Map.of("compatibilityLevel", store.setLevel(null, null)));
    route(
        "GET",
        "/config/{}",
        r -> Map.of("compatibilityLevel", store.level(r.subject(), r.flag("defaultToGlobal"))));
    route(
        "PUT",
        "/config/{}",
        r -> Map.of("compatibility", store.setLevel(r.subject(), r.text("compatibility"))));
    route(
        "DELETE",
        "/config/{}",
        r -> Map.of("compatibilityLevel", store.setLevel(r.subject(), null)));
    route("GET", "/mode", r -> Map.of("mode", store.mode(null, true)));
    route("PUT", "/mode", r -> Map.of("mode", store.setMode(null, r.text("mode"))));
    route(
        "GET", "/mode/{}", r -> Map.of("mode", store.mode(r.subject(), r.flag("defaultToGlobal"))));
    route("PUT", "/mode/{}", r -> Map.of("mode", store.setMode(r.subject(), r.text("mode"))));
    route("DELETE", "/mode/{}", r -> Map.of("mode", store.setMode(r.subject(), null)));
  }

  private void route(String method, String template, Endpoint endpoint) {
    table.add(
        new Route(method, Pattern.compile(template.replace("{}", "([^/]+)") + "/?"), endpoint));
  }

  private static List<String> variables(Matcher matcher) {
    List<String> variables = new ArrayList<>();
    for (int group = 1; group <= matcher.groupCount(); group++) {
      variables.add(ApiRequest.decode(matcher.group(group).replace("+", "%2B")));
    }
    return variables;
  }

  private Version version(ApiRequest request) {
    return store.version(request.subject(), request.version(1), request.flag("deleted"));
  }

  private List<Version> listed(ApiRequest request, String subject) {
    List<Version> versions = store.versions(subject, request.flag("deleted"));
    return request.flag("latestOnly")
        ? versions.subList(versions.size() - 1, versions.size())
        : versions;
  }

  private Object compatibility(ApiRequest request, boolean oneVersion) {
    List<String> differences =
        store.differences(
            request.subject(),
            oneVersion ? request.version(1) : null,
            request.schema(),
            request.references(),
            request.flag("normalize"));
    ObjectNode answer = JSON.createObjectNode().put("is_compatible", differences.isEmpty());
    if (request.flag("verbose")) {
      ArrayNode messages = answer.putArray("messages");
      differences.forEach(messages::add);
    }
    return answer;
  }

  private static List<Integer> numbers(List<Version> versions) {
    return versions.stream().map(Version::version).toList();
  }

  private static ObjectNode full(Version version) {
    ObjectNode answer =
        JSON.createObjectNode()
            .put("subject", version.subject())
            .put("version", version.version())
            .put("id", version.id());
    return answer.setAll(schemaOnly(version.schema()));
  }

  private static ObjectNode schemaOnly(StoredSchema schema) {
    ObjectNode answer = JSON.createObjectNode().put("schema", schema.text());
    if (!schema.references().isEmpty()) {
      answer.set("references", JSON.valueToTree(schema.references()));
    }
    return answer;
  }

  /** The schema itself, not a string that holds it. */
  private static Object raw(StoredSchema schema) {
    return new RawValue(schema.text());
  }
}
