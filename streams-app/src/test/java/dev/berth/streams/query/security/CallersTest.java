package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The file of callers")
class CallersTest {
  /** SHA-256 of "abc", as FIPS 180-2 has it. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  /** SHA-256 of nothing. */
  private static final String NOTHING =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private static final String ALICE =
      "alice.token=%s\nalice.roles=operate\nalice.namespaces=prod, batch\n".formatted(ABC);

  @Test
  @DisplayName("knows a caller by the hash of the token, with the roles below the one given")
  void token() {
    Callers callers = Callers.parse(ALICE);

    assertThat(callers.byToken("abc"))
        .contains(new Caller("alice", Set.of(Role.READ, Role.OPERATE), Set.of("prod", "batch")));
    assertThat(callers.byToken(ABC)).as("the hash is no token").isEmpty();
    assertThat(callers.byToken("")).isEmpty();
  }

  @Test
  @DisplayName("takes two tokens while one replaces the other")
  void rotation() {
    Callers callers =
        Callers.parse(ALICE.replace(ABC, NOTHING + ", " + ABC.toUpperCase(Locale.ROOT)));

    assertThat(callers.byToken("abc")).map(Caller::name).contains("alice");
    assertThat(callers.byToken("")).map(Caller::name).contains("alice");
  }

  @Test
  @DisplayName("knows a caller by the common name of a certificate, and no token with it")
  void certificate() {
    Callers callers =
        Callers.parse("b.1.certificate=Berth One\nb.1.roles=admin\nb.1.namespaces=*\n");

    assertThat(callers.byCertificate("Berth One"))
        .contains(new Caller("b.1", Set.of(Role.values()), Set.of("*")));
    assertThat(callers.byCertificate("b.1")).isEmpty();
    assertThat(callers.byToken("Berth One")).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '!',
      value = {
        "# nobody ! it names no caller; write for each NAME.token or NAME.certificate, NAME.roles and"
            + " NAME.namespaces",
        "a.token=hush ! a.roles is missing: write read, operate or admin",
        "a.token=hush;a.roles=read ! a.namespaces is missing: write them with commas, or * for all",
        "a.roles=read;a.namespaces=* ! a has neither a.token nor a.certificate: nothing tells who"
            + " that is",
        "a.token=hush;a.roles=read;a.namespaces=* ! a.token is no SHA-256 in hex; never write the"
            + " token itself, but what this prints: printf %s \"$TOKEN\" | sha256sum",
        "a.certificate=x;a.roles=root;a.namespaces=* ! a.roles=root: write read, operate or admin",
        "hush ! a key in it is not NAME.token, NAME.certificate, NAME.roles or NAME.namespaces, with"
            + " a name of letters, digits, '@', '.', '_' or '-'",
        "a.role=read ! a key in it is not NAME.token, NAME.certificate, NAME.roles or"
            + " NAME.namespaces, with a name of letters, digits, '@', '.', '_' or '-': look at those"
            + " of a",
        "local.roles=admin ! a caller is named local, which stands for whoever is on the machine;"
            + " choose another name",
        "a.certificate=x;a.roles=read;a.namespaces=*;b.certificate=x;b.roles=read;b.namespaces=* !"
            + " b.certificate=x: it is that of a as well; give each caller its own",
        "a=\\u00g ! it is no properties file (a wrong \\u in it?)"
      })
  @DisplayName("is refused with the remedy, and without what may be a token")
  void refused(String lines, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Callers.parse(lines.replace(';', '\n')))
        .withMessage(message)
        .withMessageNotContaining("hush");
  }

  @Test
  @DisplayName("gives no token to two callers")
  void oneTokenOneCaller() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Callers.parse(ALICE + ALICE.replace("alice", "bob")))
        .withMessage("bob.token: it is that of alice as well; give each caller its own");
  }

  @Test
  @DisplayName("prints no hash")
  void printed() {
    assertThat(Callers.parse(ALICE)).hasToString("Callers[tokens=1 certificates=0]");
  }
}
