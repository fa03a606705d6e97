package dev.berth.ops.scenario;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names that a file uses and nothing in it declares: typing errors, most of them. A name that
 * is unknown on purpose is none where the file expects the answer that says so ({@code not-found},
 * {@code unschedulable} and the like).
 */
final class Names {
  private static final Set<String> UNKNOWN_PLUGIN = Set.of("unschedulable", "no-such-plugin");
  private static final Set<String> UNKNOWN_NODE =
      Set.of("unschedulable", "node-lost", "node-unreachable", "missing-external-node-id");
  private static final Set<String> UNKNOWN_THING = Set.of("not-found");
  private static final Set<String> NEVER = Set.of();

  private final Problems problems;
  private final Declared volumes = new Declared("volume", "a step 'volume'");
  private final Declared nodes = new Declared("node", "a step 'node'");
  private final Declared plugins = new Declared("plugin", "a step 'plugin'");
  private final Declared allocs = new Declared("alloc", "a step 'claim'");
  private final Declared externals =
      new Declared("external volume id", "'external' of a step 'volume'");
  private final Declared externalNodes =
      new Declared("external node id", "'external-node' of a step 'plugin'");
  private final Declared references =
      new Declared("secret reference", "'secrets' of a step 'volume'");
  private final Set<String> asked = new HashSet<>();
  private final Set<String> codes = new HashSet<>();
  private final Map<String, Set<String>> codesByAlloc = new HashMap<>();

  private Names(Problems problems) {
    this.problems = problems;
  }

  /**
   * Names of one kind.
   *
   * @param kind what they name
   * @param by what declares one
   * @param known those declared
   */
  private record Declared(String kind, String by, Set<String> known) {
    Declared(String kind, String by) {
      this(kind, by, new HashSet<>());
    }
  }

  /** Says which names of steps, all of the right form, are unknown. */
  static void check(List<Scenario.Step> steps, Problems problems) {
    Names names = new Names(problems);
    steps.forEach(names::declare);
    steps.forEach(names::use);
  }

  // ---- declarations

  private void declare(Scenario.Step step) {
    if (!(step.body() instanceof Value.Fields f)) {
      return;
    }
    switch (step.kind()) {
      case "volume" -> {
        volumes.known.add(volumeKey(f, "id"));
        externals.known.add(f.text("external"));
        f.find("secrets").ifPresent(all -> references.known.addAll(all.asTexts().values()));
      }
      case "node" -> nodes.known.add(f.text("id"));
      case "plugin" -> {
        plugins.known.add(f.text("id"));
        f.optional("external-node").ifPresent(externalNodes.known::add);
      }
      case "claim" -> {
        allocs.known.add(f.text("alloc"));
        asked.add(volumeKey(f, "volume"));
      }
      case "row" -> {
        allocs.known.add(f.text("alloc"));
        f.optional("external-node").ifPresent(externalNodes.known::add);
      }
      case "listing" -> f.find("entries").ifPresent(all -> listed(all.asFields()));
      case "expect" -> expectedCodes(f);
      default -> {
        // Declares nothing.
      }
    }
  }

  /** What a provider lists may be nobody's. */
  private void listed(Value.Fields entries) {
    externals.known.addAll(entries.fields().keySet());
    entries
        .fields()
        .values()
        .forEach(ids -> ids.asItems().forEach(id -> externalNodes.known.add(id.asText())));
  }

  private void expectedCodes(Value.Fields f) {
    f.find("replies")
        .ifPresent(
            replies ->
                replies
                    .asFields()
                    .fields()
                    .forEach((alloc, reply) -> codesOf(alloc).addAll(code(reply, "code"))));
    f.find("result").ifPresent(result -> codes.addAll(code(result, "refused")));
    f.find("stuck")
        .ifPresent(all -> all.asItems().forEach(stuck -> codes.addAll(code(stuck, "code"))));
    f.find("table")
        .ifPresent(
            tables ->
                tables
                    .asFields()
                    .fields()
                    .values()
                    .forEach(
                        rows ->
                            rows.asFields()
                                .fields()
                                .forEach(
                                    (alloc, row) ->
                                        codesOf(alloc).addAll(code(row, "hold", "stuck")))));
    codesByAlloc.values().forEach(codes::addAll);
  }

  private Set<String> codesOf(String alloc) {
    return codesByAlloc.computeIfAbsent(alloc, unused -> new HashSet<>());
  }

  private static Set<String> code(Value value, String... fields) {
    Set<String> found = new HashSet<>();
    if (value instanceof Value.Fields f) {
      for (String field : fields) {
        f.optional(field).ifPresent(found::add);
      }
    }
    return found;
  }

  // ---- uses

  private void use(Scenario.Step step) {
    if (!(step.body() instanceof Value.Fields f)) {
      return;
    }
    switch (step.kind()) {
      case "volume" -> known(plugins, f.get("plugin"), codes, UNKNOWN_PLUGIN);
      case "volume-gone" -> knownVolume(f, "id", codes);
      case "plugin" -> known(nodes, f.get("node"), codes, UNKNOWN_NODE);
      case "claim" -> {
        Set<String> answers = codesByAlloc.getOrDefault(f.text("alloc"), NEVER);
        knownVolume(f, "volume", answers);
        known(nodes, f.get("node"), answers, UNKNOWN_NODE);
      }
      case "policy" -> {
        if (f.find("volume").isPresent()) {
          knownVolume(f, "volume", NEVER);
        }
        f.find("plugin").ifPresent(plugin -> known(plugins, plugin));
      }
      case "alloc", "alloc-gone" -> known(allocs, f.get("id"));
      case "unmounted", "unmount-failed" -> {
        knownVolume(f, "volume", codesByAlloc.getOrDefault(f.text("alloc"), NEVER));
        known(allocs, f.get("alloc"));
      }
      case "command" -> f.fields().forEach(this::command);
      case "listing", "rebalance" -> known(plugins, f.get("plugin"));
      case "secret" -> known(references, f.get("ref"));
      case "row" -> {
        knownVolume(f, "volume", NEVER);
        f.find("node").ifPresent(node -> known(nodes, node));
      }
      case "answer", "script" -> rpc(f.get("rpc"), step.kind().equals("script"));
      case "expect" -> expected(f);
      default -> {
        // Names nothing.
      }
    }
  }

  private void command(String command, Value body) {
    if (!(body instanceof Value.Fields f)) {
      return;
    }
    if (f.find("volume").isPresent()) {
      knownVolume(f, "volume", codes);
    }
    // A detach may name a node as the provider does, which is all that a finding has of it.
    f.find("node")
        .filter(node -> !command.equals("detach") || !externalNodes.known.contains(node.asText()))
        .ifPresent(node -> known(nodes, node, codes, UNKNOWN_THING));
    f.find("plugin").ifPresent(plugin -> known(plugins, plugin, codes, UNKNOWN_THING));
    f.find("alloc").ifPresent(alloc -> known(allocs, alloc, codes, UNKNOWN_THING));
  }

  private void expected(Value.Fields f) {
    f.find("rpcs").ifPresent(this::rpcs);
    f.find("open").ifPresent(this::rpcs);
    each(
        f,
        "table",
        (volume, rows) -> {
          knownVolume(volume);
          Value.Fields claims = rows.asFields();
          claims
              .fields()
              .forEach(
                  (alloc, row) -> {
                    known(allocs, text(claims, alloc));
                    row.asFields().find("node").ifPresent(node -> known(nodes, node));
                    row.asFields().find("held-by").ifPresent(by -> known(allocs, by));
                  });
        });
    each(
        f,
        "attachments",
        (volume, ids) -> {
          knownVolume(volume);
          Value.Fields all = ids.asFields();
          all.fields().keySet().forEach(id -> known(externalNodes, text(all, id)));
        });
    each(
        f,
        "replies",
        (alloc, reply) -> {
          known(allocs, alloc);
          if (reply instanceof Value.Fields fields) {
            fields.find("held-by").ifPresent(holder -> known(allocs, holder));
          }
        });
    each(f, "eta", (alloc, range) -> known(allocs, alloc));
    each(f, "backlog", (plugin, counts) -> known(plugins, plugin));
    each(f, "owner", (plugin, worker) -> known(plugins, plugin));
    f.find("no-overlap").ifPresent(all -> all.asItems().forEach(it -> known(plugins, it)));
    f.find("stuck")
        .ifPresent(
            all ->
                all.asItems()
                    .forEach(
                        stuck -> {
                          knownVolume((Value.Text) stuck.asFields().get("volume"));
                          stuck.asFields().find("alloc").ifPresent(alloc -> known(allocs, alloc));
                        }));
    f.find("findings")
        .ifPresent(all -> all.asItems().forEach(it -> known(plugins, it.asFields().get("plugin"))));
  }

  private interface Use {
    void of(Value.Text name, Value value);
  }

  private static void each(Value.Fields f, String field, Use use) {
    f.find(field)
        .map(Value::asFields)
        .ifPresent(
            named -> named.fields().forEach((name, value) -> use.of(text(named, name), value)));
  }

  private static Value.Text text(Value.Fields in, String name) {
    return new Value.Text(in.key(name), name);
  }

  // ---- RPCs

  private void rpcs(Value rpcs) {
    for (Value item : rpcs.asItems()) {
      if (item instanceof Value.Items) {
        rpcs(item);
      } else {
        rpc(item, false);
      }
    }
  }

  /** A notation, or the begin of one: then its last name is one too. */
  private void rpc(Value notation, boolean begin) {
    String[] words = notation.asText().split(" ", -1);
    boolean toController = words[0].startsWith("C");
    for (int i = 1; i < words.length; i++) {
      boolean cut = begin && i == words.length - 1;
      if (words[i].startsWith("@")) {
        knownPart(nodes, notation, words[i].substring(1), cut);
      } else if (i == 1) {
        knownPart(externals, notation, words[i], cut);
      } else if (i == 2) {
        knownPart(toController ? externalNodes : allocs, notation, words[i], cut);
      }
    }
  }

  private void knownPart(Declared names, Value in, String name, boolean begin) {
    boolean known =
        begin
            ? names.known.stream().anyMatch(it -> it.startsWith(name))
            : names.known.contains(name);
    if (!known) {
      unknown(names, in.place(), "'" + in.asText() + "': " + names.kind + " '" + name + "'");
    }
  }

  // ---- whether a name is known

  private void knownVolume(Value.Fields f, String field, Set<String> answers) {
    String key = volumeKey(f, field);
    if (!volumes.known.contains(key) && !answers.contains("not-found")) {
      unknown(volumes, f.get(field).place(), "volume '" + f.text(field) + "'");
    }
  }

  /**
   * A volume of a table, which writes another namespace than the default before the id. One that a
   * claim asks for in vain may stand there too: without claims.
   */
  private void knownVolume(Value.Text name) {
    String key = Words.volumeKey(name.text());
    if (!volumes.known.contains(key) && !asked.contains(key)) {
      unknown(volumes, name.place(), "volume '" + name.text() + "'");
    }
  }

  private void known(Declared names, Value name) {
    known(names, name, NEVER, NEVER);
  }

  private void known(Declared names, Value name, Set<String> answers, Set<String> sayingSo) {
    if (!names.known.contains(name.asText()) && answers.stream().noneMatch(sayingSo::contains)) {
      unknown(names, name.place(), names.kind + " '" + name.asText() + "'");
    }
  }

  private void unknown(Declared names, Value.Place place, String what) {
    problems.add(place, what + " is unknown: declare it by " + names.by + " or correct the name");
  }

  private static String volumeKey(Value.Fields f, String field) {
    return f.text("namespace", "default") + "/" + f.text(field);
  }
}
