package dev.berth.embedded.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries requests to the {@link Routes} and their answers back. */
final class HttpApi implements HttpHandler {

  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);
  private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_BODY_BYTES = 4 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Answer(int status, Object body) {}

  private final Routes routes;

  HttpApi(Routes routes) {
    this.routes = routes;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Answer answer = answer(exchange);
      byte[] body = JSON.writeValueAsBytes(answer.body());
      exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
      boolean headOnly = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), headOnly ? -1 : body.length);
      if (!headOnly) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String path = exchange.getRequestURI().getRawPath();
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    try {
      Routes.Match match = routes.match(method.equals("HEAD") ? "GET" : method, path);
      return new Answer(
          200,
          match
              .endpoint()
              .answer(
                  new ApiRequest(
                      match.path(),
                      ApiRequest.parseQuery(exchange.getRequestURI().getRawQuery()),
                      parse(body))));
    } catch (RegistryProblem e) {
      log.debug("refused method={} path={} code={}", method, path, e.code());
      return problem(e.status(), e.code(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log.warn("failed method={} path={}", method, path, e);
      return problem(500, 50001, "Error in the registry: " + e);
    }
  }

  private static JsonNode parse(byte[] body) throws IOException {
    if (body.length > MAX_BODY_BYTES) {
      throw RegistryProblem.badRequest("the body is larger than " + MAX_BODY_BYTES + " bytes");
    }
    if (body.length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw RegistryProblem.badRequest("the body is not JSON: " + e.getOriginalMessage());
    }
  }

  private static Answer problem(int status, int code, String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error_code", code);
    body.put("message", message);
    return new Answer(status, body);
  }
}
