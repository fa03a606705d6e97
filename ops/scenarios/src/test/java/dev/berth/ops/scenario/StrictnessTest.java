package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing in a file is passed over: what cannot be understood is an error with file and line. */
class StrictnessTest {
  private static final String FIXTURE =
      """
      steps:
        - node: {id: n1, status: ready}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}], secrets: {k: ref}}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
      """;

  /** The step under test stands in line 4. */
  private static final String WITH_STEP =
      """
      id: T
      fixture: F
      steps:
        - %s
      """;

  @ParameterizedTest(name = "[{index}] {arguments}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          claims: {alloc: a1}                      | unknown step 'claims': known are volume, volume-gone,
          node: {id: n2, status: ready, elig: true} | node: unknown field 'elig': known are id, status, eligible
          node: {id: n2}                           | node: field 'status' is missing
          node: {id: n2, status: lost}             | node status is 'lost': write one of ready, disconnected, down, gone
          node: {id: n2, status: unrecognized}     | node status is 'unrecognized': write one of
          node: {id: n2, status: ready, eligible: yes} | node eligible is 'yes': write true or false
          node: n2                                 | node: fields are expected here
          node: {id: "", status: ready}            | node id is '': write a name
          node: {id: [n2], status: ready}          | node id: a single value is expected here
          plugin: {id: ebs, node: n1, role: both, health: healthy} | plugin role is 'both': write one of controller, node
          plugin: {id: ebs, node: n1, role: node, health: well}    | plugin health is 'well': write one of
          plugin: {id: ebs, node: n1, role: node, health: healthy, max-volumes: many} | plugin max-volumes is 'many': write a whole number
          plugin: {id: ebs, node: n9, role: node, health: healthy} | node 'n9' is unknown: declare it by a step 'node'
          volume: {id: vB, plugin: ebs, external: vol-b}           | volume: field 'capabilities' is missing
          volume: {id: vB, plugin: ebs, external: vol-b, capabilities: [{access: all}]} | volume capabilities access is 'all': write one of single-node-reader,
          volume: {id: vB, plugin: ebs, external: vol-b, capabilities: [{acces: x}]}    | volume capabilities: unknown field 'acces'
          volume: {id: vB, plugin: abs, external: vol-b, capabilities: []} | plugin 'abs' is unknown
          volume: {id: vB, plugin: ebs, external: vol-b, capabilities: [], topologies: zone-a} | volume topologies: a list is expected here
          volume-gone: {id: vA, forced: true}      | volume-gone: unknown field 'forced'
          volume-gone: {id: vB}                    | volume 'vB' is unknown
          claim: {alloc: a2, node: n1, volume: vA, mode: rw, access: single-node-writer} | claim mode is 'rw': write one of read, write
          claim: {alloc: a2, node: n1, volume: vB, mode: write, access: single-node-writer} | volume 'vB' is unknown
          claim: {alloc: a2, node: n9, volume: vA, mode: write, access: single-node-writer} | node 'n9' is unknown
          claim: {alloc: a2, node: n1, volume: vA, namespace: x, mode: write, access: single-node-writer} | volume 'vA' is unknown
          claim: {alloc: a2, node: n1, volume: vA, mode: write, access: single-node-writer, stop-on-disconnect: soon} | claim stop-on-disconnect is 'soon': write 8s, 2m
          claim: {alloc: a2, node: n1, volume: vA, mode: write, access: single-node-writer, index: first} | claim index is 'first': write a whole number, 1 or more
          policy: {plugin: ebs}                    | policy: field 'settings' is missing
          policy: {plugin: ebs, volume: vA, settings: {lane: node}} | policy: give either a plugin, or a volume and its namespace
          policy: {settings: {lane: node}}         | policy: give either a plugin, or a volume and its namespace
          policy: {plugin: ebs, settings: hold}    | policy settings: settings with values are expected here
          policy: {plugin: abs, settings: {lane: node}} | plugin 'abs' is unknown
          policy: {volume: vB, settings: {lane: node}} | volume 'vB' is unknown
          node: {id: n2, status: ready, scheduler: ""} | node scheduler is '': write a name
          claim: {alloc: a2, node: n1, volume: vA, mode: write, access: single-node-writer, job-type: cron} | claim job-type is 'cron': write one of service, batch,
          alloc: {id: a9, status: running}         | alloc 'a9' is unknown: declare it by a step 'claim'
          alloc: {id: a1, status: dead}            | alloc status is 'dead': write one of pending, running,
          alloc: {id: a1, status: running, desired: go} | alloc desired is 'go': write one of run, stop
          alloc-gone: {id: a9}                     | alloc 'a9' is unknown
          unmounted: {alloc: a1, volume: vB}       | volume 'vB' is unknown
          unmounted: {alloc: a9, volume: vA}       | alloc 'a9' is unknown
          unmounted: {alloc: a1, volume: vA, error: x}       | unmounted: unknown field 'error'
          unmount-failed: {alloc: a1, volume: vA, generation: x} | unmount-failed generation is 'x'
          command: {by: op}                        | command: give exactly one command with its fields, not []
          command: {fence: {node: n1}, gc: {}}     | command: give exactly one command with its fields, not [fence, gc]
          command: {fence: n1}                     | command fence: fields are expected here
          command: {fence: {volume: vA}}           | command fence: unknown field 'volume'
          command: {kick: {node: n1}}              | command: unknown field 'kick'
          command: {fence: {node: n9}}             | node 'n9' is unknown
          command: {pause: {plugin: abs}}          | plugin 'abs' is unknown
          command: {retry: {volume: vB}}           | volume 'vB' is unknown
          listing: {plugin: ebs, entries: {}}      | listing: field 'taken-at' is missing
          listing: {plugin: ebs, taken-at: 1, entries: {}} | listing taken-at is '1': write 8s
          listing: {plugin: ebs, taken-at: 1s, entries: {vol-a: i-1}} | listing entries vol-a: a list is expected here
          listing: {plugin: abs, taken-at: 1s, entries: {}} | plugin 'abs' is unknown
          secret: {ref: ref}                       | secret: give either a value or 'gone: true'
          secret: {ref: ref, value: x, gone: true} | secret: give either a value or 'gone: true'
          secret: {ref: other, value: x}           | secret reference 'other' is unknown
          row: {volume: vA, alloc: a1, state: free} | row state is 'free': write one of waiting, taken,
          row: {volume: vA, alloc: a1, colour: red} | row: unknown field 'colour'
          raw: {topic: claimz, key: a, value: b}   | raw topic is 'claimz': write one of alloc-events,
          raw: {topic: claims, key: a}             | raw: field 'value' is missing
          advance: later                           | advance is 'later': write 8s, 2m, 1h30m or 500ms
          advance: 5                               | advance is '5': write 8s
          advance: {by: 5s}                        | advance: unknown field 'by': known are to
          restart: everything                      | restart is 'everything': write one of streams, worker, all
          rebalance: {plugin: abs}                 | plugin 'abs' is unknown
          rebalance: ebs                           | rebalance: fields are expected here
          answer: {rpc: "CP vol-a i-1"}            | answer rpc is 'CP vol-a i-1': write CP ext node rw|ro,
          answer: {rpc: "CP vol-a i-1 rw", with: SAD} | answer with is 'SAD': write one of ok, OK, CANCELLED
          answer: {rpc: "CP vol-b i-1 rw"}         | 'CP vol-b i-1 rw': external volume id 'vol-b' is unknown
          answer: {rpc: "CP vol-a i-9 rw"}         | 'CP vol-a i-9 rw': external node id 'i-9' is unknown
          answer: {rpc: "CP vol-a i-1 rw", effect: maybe} | answer effect is 'maybe': write true or false
          script: {rpc: "DP vol-a"}                | script rpc is 'DP vol-a': write the begin of an RPC
          script: {rpc: "CP vol-a i-1 rx"}         | script rpc is 'CP vol-a i-1 rx': write the begin of an RPC
          script: {rpc: "CU vol-b"}                | 'CU vol-b': external volume id 'vol-b' is unknown
          script: {rpc: "CU", with: INTERNAL}      | script with: a list is expected here
          script: {rpc: "CU", with: [BAD]}         | script with is 'BAD': write one of
          script: {rpc: "CU", with: [ok], delay: x} | script delay is 'x': write 8s
          repeat: {times: 2}                       | repeat: field 'steps' is missing
          repeat: {times: 0, steps: []}            | repeat times is '0': write a whole number, 1 to 100000
          repeat: {times: x, steps: []}            | repeat times is 'x': write a whole number, 1 to 100000
          repeat: {times: 2, steps: [{advance: x}]} | advance is 'x': write 8s
          expect: {rpc: []}                        | expect: unknown field 'rpc': known are rpcs, open, table,
          expect: {rpcs: "CP vol-a i-1 rw"}        | expect rpcs: a list is expected here
          expect: {rpcs: ["CP vol-a i-1"]}         | expect rpcs is 'CP vol-a i-1': write CP ext node rw|ro,
          expect: {rpcs: [["CP vol-a i-1"]]}       | expect rpcs is 'CP vol-a i-1': write
          expect: {rpcs: ["NS vol-a n1"]}          | expect rpcs is 'NS vol-a n1': write
          expect: {rpcs: ["CU vol-b i-1"]}         | 'CU vol-b i-1': external volume id 'vol-b' is unknown
          expect: {rpcs: ["NP vol-a a9 @n1"]}      | 'NP vol-a a9 @n1': alloc 'a9' is unknown
          expect: {open: ["NS vol-a @n9"]}         | 'NS vol-a @n9': node 'n9' is unknown
          expect: {table: {vB: {}}}                | volume 'vB' is unknown
          expect: {table: {x/vA: {}}}              | volume 'x/vA' is unknown
          expect: {table: {vA: {a9: {}}}}          | alloc 'a9' is unknown
          expect: {table: {vA: {a1: {node: n9}}}}  | node 'n9' is unknown
          expect: {table: {vA: {a1: {state: claimed}}}} | expect table vA a1 state is 'claimed': write one of waiting, taken,
          expect: {table: {vA: {a1: {state: reserving}}}} | expect table vA a1 state is 'reserving'
          expect: {table: {vA: {a1: {hold: lost}}}} | expect table vA a1 hold is 'lost': write one of no-such-plugin,
          expect: {table: {vA: {a1: {stat: taken}}}} | expect table vA a1: unknown field 'stat'
          expect: {table: {vA: {a1: taken}}}       | expect table vA a1: fields are expected here
          expect: {table: {vA: }}                  | expect table vA: names with values are expected here
          expect: {attachments: {vB: {}}}          | volume 'vB' is unknown
          expect: {attachments: {vA: {i-9: attached}}} | external node id 'i-9' is unknown
          expect: {attachments: {vA: {i-1: gone}}} | expect attachments vA i-1 is 'gone': write one of attaching,
          expect: {replies: {a9: granted}}         | alloc 'a9' is unknown
          expect: {replies: {a1: given}}           | expect replies a1 is 'given': write one of granted, waiting, rejected
          expect: {replies: {a1: {code: full}}}    | expect replies a1 code is 'full': write one of unschedulable,
          expect: {replies: {a1: {held-by: a9}}}   | alloc 'a9' is unknown
          expect: {replies: {a1: {outcom: x}}}     | expect replies a1: unknown field 'outcom'
          expect: {stuck: [{volume: vA, alloc: a1}]} | expect stuck: give a code or 'resolved: true'
          expect: {stuck: [{volume: vA, alloc: a1, code: sad}]} | expect stuck code is 'sad': write one of no-such-plugin,
          expect: {stuck: [{volume: vB, alloc: a1, code: timeout}]} | volume 'vB' is unknown
          expect: {events: [took]}                 | expect events is 'took': write one of waiting, taken,
          expect: {counts: {XP: 1}}                | name in expect counts is 'XP': write one of CP, CU,
          expect: {counts: {CP: one}}              | expect counts CP is 'one': write a whole number, 0 or more
          expect: {backlog: {ebs: {open: 1}}}      | expect backlog ebs: unknown field 'open'
          expect: {backlog: {ebs: {queued: x}}}    | expect backlog ebs queued is 'x': write a whole number
          expect: {backlog: {abs: {queued: 1}}}    | plugin 'abs' is unknown
          expect: {eta: {a1: [1s]}}                | expect eta a1: write [at least, at most]
          expect: {eta: {a1: [1s, x]}}             | expect eta a1 is 'x': write 8s
          expect: {eta: {a9: [1s, 2s]}}            | alloc 'a9' is unknown
          expect: {findings: [{plugin: ebs, kind: odd}]} | expect findings kind is 'odd': write one of dangling,
          expect: {findings: [{plugin: abs, kind: missing}]} | plugin 'abs' is unknown
          expect: {owner: {abs: worker-2}}         | plugin 'abs' is unknown
          expect: {no-overlap: [abs]}              | plugin 'abs' is unknown
          expect: {no-overlap: ebs}                | expect no-overlap: a list is expected here
          expect: {absent: [""]}                   | expect absent is '': write a name
          expect: {result: fine}                   | expect result is 'fine': write one of ok
          expect: {result: {refused: busy}}        | expect result refused is 'busy': write one of in-use,
          claim                                    | a step has exactly one name
          `{advance: 1s, restart: all}`            | a step has exactly one name
          """)
  void aStepThatSaysNothingKnownIsRefused(String step, String message) {
    List<Problem> problems = problems(WITH_STEP.formatted(step));

    assertThat(problems.get(0).text()).startsWith(message);
    assertThat(problems.get(0))
        .extracting(Problem::file, Problem::line)
        .containsExactly("t.yaml", 4);
  }

  @ParameterizedTest(name = "[{index}] {arguments}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `id: T\\nstepz: []`                       | 2 | scenario: unknown field 'stepz'
          `title: T\\nsteps: [{advance: 1s}]`       | 1 | scenario: field 'id' is missing
          `id: T\\ntitle: T`                        | 1 | scenario: field 'steps' is missing
          `id: T\\nsteps: []`                       | 1 | scenario: there is no step: give at least one
          `id: T\\nsteps: {advance: 1s}`            | 2 | scenario steps: a list is expected here
          `id: T\\nfixture: G\\nsteps: [{advance: 1s}]` | 2 | there is no fixture 'G': put it into fixtures/G.yaml
          `id: T\\nanswers: later\\nsteps: [{advance: 1s}]` | 2 | scenario answers is 'later': write one of auto, manual
          `id: T\\npolicy: {max-attemps: 5}\\nsteps: [{advance: 1s}]` | 2 | policy 'default', max-attemps = '5': there is no such key
          `id: T\\npolicy:\\n  gc:\\n    interval: soon\\nsteps: [{advance: 1s}]` | 4 | policy 'default', gc.interval = 'soon': it is not
          `id: T\\npolicy: {backoff: {first: 9m, max: 1m}}\\nsteps: [{advance: 1s}]` | 2 | policy 'default', backoff.first = '9m': it is longer than
          `id: T\\npolicy: hold\\nsteps: [{advance: 1s}]` | 2 | policy: settings with values are expected here
          `id: T\\nid: U\\nsteps: [{advance: 1s}]`  | 2 | field 'id' stands twice
          `id: T\\nsteps: [{advance: 1s`            | 2 | this is not YAML:
          `id: T\\nsteps:\\n\\t- advance: 1s`       | 3 | this is not YAML:
          `id: T\\nsteps: [{advance: !now 1s}]`     | 2 | the tag !now means nothing here
          `id: T\\nsteps: &a [{advance: 1s}, *a]`   | 1 | this is not YAML:
          `id: T\\n? [x]\\n: y`                     | 2 | the name of a field is a single value
          `- id: T`                                 | 1 | fields are expected here
          ` `                                       | 1 | the file is empty
          `id: T\\nsteps:\\n  - claim:\\n      alloc: a\\n      acces:\\n        x` | 5 | claim: unknown field 'acces'
          """)
  void aFileThatSaysNothingKnownIsRefused(String text, int line, String message) {
    Problem problem = problems(text.replace("\\n", "\n").replace("\\t", "\t")).get(0);

    assertThat(problem.text()).startsWith(message);
    assertThat(problem.line()).isEqualTo(line);
  }

  @Test
  void everythingWrongInAFileIsToldAtOnce() {
    String text =
        """
        id: T
        fixture: F
        policy: {lane: wide}
        steps:
          - advance: soon
          - expect:
              rpcs: ["CP"]
              tables: {}
        """;

    assertThat(problems(text)).extracting(Problem::line).containsExactly(5, 7, 8, 3);
  }

  @Test
  void whatIsWrongInAFixtureIsToldWithTheFixturesLine() {
    ScenarioException refused =
        catchThrowableOfType(
            ScenarioException.class,
            () ->
                Scenario.read(
                    "t.yaml",
                    "id: T\nfixture: F\nsteps: [{advance: 1s}]",
                    name ->
                        Optional.of(
                            new Scenario.Fixture("fixtures/F.yaml", "steps:\n  - node: {id: n}"))));

    assertThat(refused).hasMessage("fixtures/F.yaml:2: node: field 'status' is missing");
  }

  @ParameterizedTest(name = "[{index}] {arguments}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `claim: {alloc: a2, node: n1, volume: vB, mode: write, access: single-node-writer}` | `replies: {a2: {outcome: rejected, code: not-found}}, table: {vB: {}}`
          `volume-gone: {id: vB}`              | `result: {refused: not-found}`
          `command: {fence: {node: n9}}`       | `result: {refused: not-found}`
          `volume: {id: vB, plugin: abs, external: x, capabilities: [{access: single-node-writer}]}` | `replies: {a1: {code: unschedulable}}`
          """)
  void aNameMayBeUnknownWhereTheFileExpectsThatAnswer(String step, String expected) {
    assertThat(problems(WITH_STEP.formatted(step) + "  - expect: {" + expected + "}\n")).isEmpty();
  }

  private static List<Problem> problems(String text) {
    try {
      Scenario scenario =
          Scenario.read(
              "t.yaml",
              text,
              name ->
                  Optional.of(name)
                      .filter("F"::equals)
                      .map(f -> new Scenario.Fixture("fixtures/F.yaml", FIXTURE)));
      assertThat(scenario.steps()).isNotEmpty();
      return List.of();
    } catch (ScenarioException refused) {
      return refused.problems();
    }
  }
}
