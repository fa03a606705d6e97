package dev.berth.driver.script;

import dev.berth.driver.calls.CallFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The rules that drivers follow. Of the rules that apply to a call, the one added last wins;
 * without any the call is answered after the driver's own latency.
 *
 * <p>Rules may be added while drivers run, and one script may be shared by several drivers: calls
 * are then counted together. With one caller the same seed gives the same times. Thread-safe.
 */
public final class Script {

  private final RandomGenerator random;
  private final List<Counted> rules = new ArrayList<>();

  private final Director director;

  private Script(RandomGenerator random, Director director) {
    this.random = random;
    this.director = director;
  }

  /** A script without rules. */
  public static Script empty() {
    return seeded(0);
  }

  /** A script without rules that draws its times from this seed. */
  public static Script seeded(long seed) {
    return new Script(new SplittableRandom(seed), (call, facts) -> Optional.empty());
  }

  /** A script with these rules, the last one the strongest. */
  public static Script of(Rule... rules) {
    Script script = empty();
    for (Rule rule : rules) {
      script.add(rule);
    }
    return script;
  }

  /** A script without rules, under a director whose word wins over all of them. */
  public static Script directed(Director director) {
    return new Script(new SplittableRandom(0), director);
  }

  /** Adds a rule that wins over those before it; it counts calls from now on. */
  public synchronized void add(Rule rule) {
    rules.add(new Counted(rule));
  }

  /** Drops all rules. Calls that are open keep what they got. */
  public synchronized void clear() {
    rules.clear();
  }

  /**
   * Counts a call and says what it gets.
   *
   * @param call number of the call in the log; 0 when it is not noted
   */
  public Plan next(long call, CallFacts facts, Latency usual) {
    return director.plan(call, facts).orElseGet(() -> next(facts, usual));
  }

  /** Counts a call and says what the rules have for it. */
  public synchronized Plan next(CallFacts facts, Latency usual) {
    Optional<Rule> applying = Optional.empty();
    for (Counted counted : rules) {
      if (counted.counts(facts)) {
        applying = Optional.of(counted.rule);
      }
    }
    Latency latency = applying.flatMap(Rule::latency).orElse(usual);
    return new Plan(
        applying.map(Rule::behaviour).orElseGet(Behaviour.Answer::new),
        latency.sample(random),
        applying.map(Rule::finishAfterCancel).orElse(false));
  }

  private static final class Counted {
    private final Rule rule;
    private long seen;

    private Counted(Rule rule) {
      this.rule = rule;
    }

    private boolean counts(CallFacts facts) {
      if (!rule.matches(facts)) {
        return false;
      }
      seen++;
      return rule.appliesTo(seen);
    }
  }
}
