package dev.berth.embedded.registry;

/**
 * A request that cannot be granted, with the status and code that Confluent's server would answer.
 *
 * @see <a href="https://docs.confluent.io/platform/current/schema-registry/develop/api.html">Schema
 *     Registry API</a>
 */
final class RegistryProblem extends RuntimeException {

  private final int status;
  private final int code;

  private RegistryProblem(int status, int code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  /** HTTP status. */
  int status() {
    return status;
  }

  /** The {@code error_code} of the answer's body. */
  int code() {
    return code;
  }

  static RegistryProblem subjectNotFound(String subject) {
    return new RegistryProblem(404, 40401, "Subject '" + subject + "' not found.");
  }

  static RegistryProblem versionNotFound(int version) {
    return new RegistryProblem(404, 40402, "Version " + version + " not found.");
  }

  static RegistryProblem schemaNotFound() {
    return new RegistryProblem(404, 40403, "Schema not found");
  }

  static RegistryProblem schemaNotFound(int id) {
    return new RegistryProblem(404, 40403, "Schema " + id + " not found");
  }

  static RegistryProblem notSoftDeleted(String subject) {
    return new RegistryProblem(
        404, 40405, "Subject '" + subject + "' was not deleted first before permanent delete");
  }

  static RegistryProblem noLevel(String subject) {
    return new RegistryProblem(
        404,
        40408,
        "Subject '" + subject + "' does not have subject-level compatibility configured");
  }

  static RegistryProblem noMode(String subject) {
    return new RegistryProblem(
        404, 40409, "Subject '" + subject + "' does not have subject-level mode configured");
  }

  static RegistryProblem noSuchPath(String path) {
    return new RegistryProblem(404, 404, "HTTP 404 Not Found: " + path);
  }

  static RegistryProblem methodNotAllowed(String method) {
    return new RegistryProblem(405, 405, "HTTP 405 Method Not Allowed: " + method);
  }

  static RegistryProblem incompatible(String subject, String details) {
    return new RegistryProblem(
        409,
        409,
        "Schema being registered is incompatible with an earlier schema for subject \""
            + subject
            + "\", details: "
            + details);
  }

  static RegistryProblem invalidSchema(String reason) {
    return new RegistryProblem(422, 42201, "Invalid schema: " + reason);
  }

  static RegistryProblem invalidVersion(String version) {
    return new RegistryProblem(
        422,
        42202,
        "The specified version '"
            + version
            + "' is not a valid version id. Allowed values are between [1, 2^31-1] and the string"
            + " \"latest\"");
  }

  static RegistryProblem invalidLevel(String level) {
    return new RegistryProblem(
        422,
        42203,
        "Invalid compatibility level '"
            + level
            + "'. Valid values are none, backward, forward, full, backward_transitive,"
            + " forward_transitive, and full_transitive");
  }

  static RegistryProblem invalidMode(String mode) {
    return new RegistryProblem(
        422, 42204, "Invalid mode '" + mode + "'. Valid values are READWRITE and READONLY");
  }

  static RegistryProblem notPermitted(String reason) {
    return new RegistryProblem(422, 42205, reason);
  }

  static RegistryProblem badRequest(String reason) {
    return new RegistryProblem(400, 400, reason);
  }

  static RegistryProblem storeFailed(String reason) {
    return new RegistryProblem(500, 50001, "Error in the backend data store: " + reason);
  }
}
