package dev.berth.streams.query.security;

import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import dev.berth.streams.query.session.Tokens;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Those who may call, as the file of {@code api.tokens} says: a properties file in which each
 * caller has a name and
 *
 * <pre>
 *  alice.token=&lt;SHA-256 of the bearer token, in hex; two, with a comma, while one replaces the other&gt;
 *  alice.certificate=&lt;common name (CN) of the subject of the client certificate&gt;
 *  alice.roles=operate                   # read, operate or admin; each includes those before it
 *  alice.namespaces=prod,batch           # * for all, and for what belongs to none
 * </pre>
 *
 * <p>Token, certificate or both; roles and namespaces always. {@code printf %s "$TOKEN" |
 * sha256sum} prints a token's hash. Tokens are to be chosen by chance, with 128 bits or more: a
 * hash protects no word that can be guessed. Immutable.
 */
final class Callers {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9@._-]{0,63}");
  private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String TOKEN = "token";
  private static final String CERTIFICATE = "certificate";
  private static final String ROLES = "roles";
  private static final String NAMESPACES = "namespaces";
  private static final Set<String> ATTRIBUTES = Set.of(TOKEN, CERTIFICATE, ROLES, NAMESPACES);

  private final List<Token> tokens = new ArrayList<>();
  private final Map<String, Caller> certificates = new HashMap<>();
  private final Map<String, Caller> names = new HashMap<>();

  private Callers() {}

  /**
   * A token.
   *
   * @param hash its SHA-256 in hex, small letters
   * @param caller whose it is
   */
  private record Token(String hash, Caller caller) {
    /** Takes the same time wherever they differ. */
    boolean has(String other) {
      return MessageDigest.isEqual(
          hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /**
   * Reads the text of the file.
   *
   * @throws IllegalArgumentException saying what is wrong with it and how to mend it; repeats no
   *     value that may be a secret
   */
  static Callers parse(String text) {
    Callers callers = new Callers();
    attributes(text).forEach(callers::add);
    if (callers.tokens.isEmpty() && callers.certificates.isEmpty()) {
      throw new IllegalArgumentException(
          "it names no caller; write for each NAME.token or NAME.certificate, NAME.roles and"
              + " NAME.namespaces");
    }
    return callers;
  }

  /** The caller to whom a bearer token belongs. Takes the same time for every token. */
  Optional<Caller> byToken(String token) {
    String hash = Tokens.hash(token);
    Caller found = null;
    for (Token known : tokens) {
      // All are looked at, each in constant time: how long it takes tells nothing of the hashes.
      if (known.has(hash)) {
        found = known.caller();
      }
    }
    return Optional.ofNullable(found);
  }

  /** The caller to whom a client certificate belongs, by the common name of its subject. */
  Optional<Caller> byCertificate(String commonName) {
    return Optional.ofNullable(certificates.get(commonName));
  }

  /** The caller of a name. */
  Optional<Caller> byName(String name) {
    return Optional.ofNullable(names.get(name));
  }

  /** How many callers there are by token, and by certificate. */
  String counts() {
    return "tokens=%d certificates=%d".formatted(tokens.size(), certificates.size());
  }

  private void add(String name, Map<String, String> attributes) {
    Caller caller =
        new Caller(
            name,
            roles(name, required(name, ROLES, attributes)),
            Set.copyOf(words(required(name, NAMESPACES, attributes))));
    if (!attributes.containsKey(TOKEN) && !attributes.containsKey(CERTIFICATE)) {
      throw new IllegalArgumentException(
          "%s has neither %s.token nor %s.certificate: nothing tells who that is"
              .formatted(name, name, name));
    }
    names.put(name, caller);
    for (String hash : words(attributes.getOrDefault(TOKEN, ""))) {
      addToken(hash, caller);
    }
    String commonName = attributes.get(CERTIFICATE);
    Caller other = commonName == null ? null : certificates.put(commonName, caller);
    if (other != null) {
      throw new IllegalArgumentException(
          "%s.certificate=%s: it is that of %s as well; give each caller its own"
              .formatted(name, commonName, other.name()));
    }
  }

  private void addToken(String text, Caller caller) {
    if (!HASH.matcher(text).matches()) {
      // Not shown: it may be the token.
      throw new IllegalArgumentException(
          "%s.token is no SHA-256 in hex; never write the token itself, but what this prints:"
                  .formatted(caller.name())
              + " printf %s \"$TOKEN\" | sha256sum");
    }
    String hash = text.toLowerCase(Locale.ROOT);
    for (Token known : tokens) {
      if (known.has(hash)) {
        throw new IllegalArgumentException(
            "%s.token: it is that of %s as well; give each caller its own"
                .formatted(caller.name(), known.caller().name()));
      }
    }
    tokens.add(new Token(hash, caller));
  }

  private static Set<Role> roles(String name, String text) {
    EnumSet<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : words(text)) {
      Role role =
          Arrays.stream(Role.values())
              .filter(each -> word(each).equals(word))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "%s.roles=%s: write read, operate or admin".formatted(name, text)));
      roles.addAll(EnumSet.range(Role.READ, role));
    }
    return roles;
  }

  /** A role as it is written. */
  static String word(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  private static String required(String name, String attribute, Map<String, String> attributes) {
    String value = attributes.getOrDefault(attribute, "");
    if (words(value).isEmpty()) {
      throw new IllegalArgumentException(
          attribute.equals(ROLES)
              ? "%s.roles is missing: write read, operate or admin".formatted(name)
              : "%s.namespaces is missing: write them with commas, or * for all".formatted(name));
    }
    return value;
  }

  private static Map<String, Map<String, String>> attributes(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("it is no properties file (a wrong \\u in it?)", e);
    }
    Map<String, Map<String, String>> callers = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      int dot = key.lastIndexOf('.');
      String name = dot < 0 ? "" : key.substring(0, dot);
      String attribute = key.substring(dot + 1);
      if (!ATTRIBUTES.contains(attribute) || !NAME.matcher(name).matches()) {
        // The key is not shown: it may be a token in the wrong place.
        throw new IllegalArgumentException(
            "a key in it is not NAME.token, NAME.certificate, NAME.roles or NAME.namespaces, with a"
                + " name of letters, digits, '@', '.', '_' or '-'%s"
                    .formatted(NAME.matcher(name).matches() ? ": look at those of " + name : ""));
      }
      // Who is known must not pass for whoever happens to be on the machine.
      if (name.equals(Caller.LOCAL.name())) {
        throw new IllegalArgumentException(
            "a caller is named %s, which stands for whoever is on the machine; choose another name"
                .formatted(name));
      }
      callers
          .computeIfAbsent(name, none -> new HashMap<>())
          .put(attribute, properties.getProperty(key).strip());
    }
    return callers;
  }

  private static List<String> words(@Nullable String text) {
    return text == null
        ? List.of()
        : Arrays.stream(text.split(",", -1))
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return "Callers[" + counts() + "]";
  }
}
