package dev.berth.streams.query.security;

import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.ApiSecurity;
import dev.berth.streams.query.Caller;
import dev.berth.streams.query.session.Sessions;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the security of the API from what the configuration says of it. */
public final class ConfiguredSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredSecurity.class);

  private ConfiguredSecurity() {}

  /**
   * Reads files and references, so that what is wrong with them is known at the start. Certificates
   * are read here and not again; callers and the token for the other instances are.
   *
   * @param config what is secured
   * @param api where the API listens
   * @param clock tells when the file of callers was looked at
   * @throws IllegalArgumentException naming setting, value and remedy; repeats no secret
   */
  public static ApiSecurity of(SecurityConfig config, ApiConfig api, InstantSource clock) {
    if (config.tokens().isEmpty()) {
      return ApiSecurity.NONE;
    }
    if (config.tls().isEmpty()) {
      requireLoopback("api.listen", api.listen());
      api.advertised().ifPresent(address -> requireLoopback("api.advertised", address));
    }
    CallersFile callers = new CallersFile(config.tokens().get(), clock);
    Sessions sessions = new Sessions(name -> callers.get().byName(name), clock);
    return new ApiSecurity(
        true,
        config.tls().map(PemFiles::server).orElseGet(InsecureServerCredentials::create),
        List.of(new CallerCheck(callers, sessions)),
        config.tls().map(PemFiles::peer).orElseGet(InsecureChannelCredentials::create),
        peerToken(config, callers.get()),
        sessions);
  }

  private static void requireLoopback(String setting, ApiConfig.Address address) {
    if (!address.loopback(setting)) {
      throw new IllegalArgumentException(
          "%s=%s: without TLS everybody on the way could read the tokens; set %s and %s, or use"
                  .formatted(setting, address, SecurityConfig.CERTIFICATE, SecurityConfig.KEY)
              + " 127.0.0.1");
    }
  }

  private static @Nullable BearerToken peerToken(SecurityConfig config, Callers callers) {
    if (config.peerToken().isEmpty()) {
      boolean certificate = config.tls().flatMap(SecurityConfig.Tls::clientCa).isPresent();
      if (!certificate) {
        LOG.warn(
            "{} is not set: other instances will not answer this one; set it, unless there are none",
            SecurityConfig.PEER_TOKEN);
      }
      return null;
    }
    BearerToken token = BearerToken.reference(SecurityConfig.PEER_TOKEN, config.peerToken().get());
    Optional<Caller> caller = callers.byToken(token.token());
    // The others most likely have the same file: better to say it here than in every answer.
    if (caller.isEmpty()) {
      throw new IllegalArgumentException(
          "%s=%s: its token is not in the file of %s; add its SHA-256, with roles=read and"
                  .formatted(
                      SecurityConfig.PEER_TOKEN, config.peerToken().get(), SecurityConfig.TOKENS)
              + " namespaces=*");
    }
    if (!caller.get().seesAll()) {
      throw new IllegalArgumentException(
          "%s=%s: it is the token of %s, who does not see every namespace; set %s.namespaces=*"
              .formatted(
                  SecurityConfig.PEER_TOKEN,
                  config.peerToken().get(),
                  caller.get().name(),
                  caller.get().name()));
    }
    return token;
  }
}
