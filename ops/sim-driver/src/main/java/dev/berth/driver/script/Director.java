package dev.berth.driver.script;

import dev.berth.driver.calls.CallFacts;
import java.util.Optional;

/**
 * Says call by call what happens, where rules that are known before do not do: a {@link
 * Behaviour.Held} call waits until its director knows. Called on the threads of drivers; must not
 * wait.
 */
@FunctionalInterface
public interface Director {

  /**
   * What a call gets; empty leaves it to the rules.
   *
   * @param call number of the call in the log; 0 when it is not noted
   * @param facts what was asked
   */
  Optional<Plan> plan(long call, CallFacts facts);
}
