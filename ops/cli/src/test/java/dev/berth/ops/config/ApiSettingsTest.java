package dev.berth.ops.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.ops.api.ApiTarget;
import dev.berth.streams.query.security.BearerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiSettingsTest {
  @TempDir private Path temp;

  @Test
  @DisplayName("the API is where the flag says, the variable, the file, the instance of the file")
  void address() throws IOException {
    Path own = file("own", "api = own:1\napi.listen = 127.0.0.1:7071\n");
    Map<String, String> variable = Map.of("BERTH_API", "variable:1");
    assertThat(address(own, variable, Map.of("api", "flag:1"))).isEqualTo("flag:1");
    assertThat(address(own, variable, Map.of())).isEqualTo("variable:1");
    assertThat(address(own, Map.of(), Map.of())).isEqualTo("own:1");
    Path instance = file("instance", "api.listen = 0.0.0.0:7070\napi.advertised = berth-1:7070\n");
    assertThat(address(instance, Map.of(), Map.of())).isEqualTo("berth-1:7070");
    assertThat(address(null, Map.of(), Map.of())).isEqualTo("127.0.0.1:7070");
  }

  @Test
  @DisplayName("a token is given by reference or file; one of a later source replaces it")
  void token() throws IOException {
    Path secrets = file("secrets", "mine = hush-1\n");
    Path alone = file("alone", "hush-2\n");
    Path config = file("config", "api.token = ${file:" + secrets + ":mine}\n");
    Map<String, String> variable = Map.of("BERTH_API_TOKEN", "hush-3");
    assertThat(token(config, Map.of(), Map.of())).isEqualTo("hush-1");
    assertThat(token(config, Map.of(), Map.of("api.token-file", alone.toString())))
        .isEqualTo("hush-2");
    assertThat(token(config, variable, Map.of())).isEqualTo("hush-3");
    assertThat(ApiSettings.read(Optional.of(config), variable, Map.of()).toString())
        .doesNotContain("hush");
    assertThat(ApiSettings.read(Optional.empty(), Map.of(), Map.of()).calls()).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          api=berth-1.invalid:7070,api.token=${env:HOME} | without TLS everybody on the way could read the token; set api.tls.ca
          api.token=hush             | api.token is not a reference: never write the token itself
          api.token=${env:NONE_SUCH} | api.token=${env:NONE_SUCH}: it leads to nothing; the providers are file, dir and env
          api.token-file=/none/such  | api.token-file=/none/such: it cannot be read (NoSuchFileException); name a file
          api.token-file=/x,api.token=${env:X} | api.token and api.token-file are both set: give one of them
          api.tls=yes                | api.tls=yes: write true or false
          api.tls=false,api.tls.ca=x | api.tls=false, and api.tls.ca is set: remove one or the other
          api.tls.ca=/none/such      | api.tls.ca=/none/such: there is no such file; correct the path
          api.tls.key=/k             | api.tls.key is set without api.tls.certificate: give both, or none
          api=nowhere                | api=nowhere: write host:port
          """)
  @DisplayName("what cannot be used is said with the remedy, and no token is")
  void refused(String settings, String said) {
    Map<String, String> flags = new java.util.TreeMap<>();
    for (String setting : settings.split(",", -1)) {
      flags.put(setting.replaceFirst("=.*", ""), setting.replaceFirst("[^=]*=", ""));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiSettings.read(Optional.empty(), Map.of(), flags))
        .withMessageContaining(said)
        .withMessageNotContaining("hush");
  }

  private static String address(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return ApiSettings.read(Optional.ofNullable(file), environment, flags).address().toString();
  }

  private static String token(
      Path file, Map<String, String> environment, Map<String, String> flags) {
    ApiTarget target = ApiSettings.read(Optional.of(file), environment, flags);
    assertThat(target.calls()).isInstanceOf(BearerToken.class);
    return ((BearerToken) target.calls()).token();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(temp.resolve(name + ".properties"), text);
  }
}
