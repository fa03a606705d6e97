package dev.berth.ops.command;

import dev.berth.ops.config.ApiSettings;
import dev.berth.streams.query.security.SecurityConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which instance of the API is called and how, as flags. Each has the name of its key: {@code
 * --api-tls-ca} is {@code api.tls.ca} of the file and {@code BERTH_API_TLS_CA} of the environment.
 */
final class TargetOptions {

  @Option(
      names = "--api",
      paramLabel = "HOST:PORT",
      description =
          "An instance of the Streams application; any answers for all (BERTH_API, or api in the"
              + " file; default: 127.0.0.1:7070, that of 'berth dev').")
  private @Nullable String api;

  @Option(
      names = "--api-token-file",
      paramLabel = "FILE",
      description =
          "Holds the bearer token that says who calls (or BERTH_API_TOKEN, or api.token=${file:…} in"
              + " the file).")
  private @Nullable String tokenFile;

  @Option(
      names = "--api-tls",
      description = "Calls it over TLS, trusting what Java trusts; the options below imply it.")
  private boolean tls;

  @Option(
      names = "--api-tls-ca",
      paramLabel = "FILE",
      description = "PEM file of the certificates that the API's must come from.")
  private @Nullable String ca;

  @Option(
      names = "--api-tls-certificate",
      paramLabel = "FILE",
      description = "PEM file of the certificate to show, where it asks for one (mTLS).")
  private @Nullable String certificate;

  @Option(
      names = "--api-tls-key",
      paramLabel = "FILE",
      description = "PEM file of that certificate's private key (PKCS#8).")
  private @Nullable String key;

  @Option(
      names = "--api-tls-name",
      paramLabel = "NAME",
      description = "Name in the API's certificate, if it is not HOST, as through a tunnel.")
  private @Nullable String name;

  /** What was given, by key. */
  Map<String, String> flags() {
    Map<String, String> flags = new LinkedHashMap<>();
    put(flags, ApiSettings.API, api);
    put(flags, ApiSettings.TOKEN_FILE, tokenFile);
    put(flags, ApiSettings.TLS, tls ? "true" : null);
    put(flags, SecurityConfig.CA, ca);
    put(flags, SecurityConfig.CERTIFICATE, certificate);
    put(flags, SecurityConfig.KEY, key);
    put(flags, ApiSettings.TLS_NAME, name);
    return flags;
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }
}
