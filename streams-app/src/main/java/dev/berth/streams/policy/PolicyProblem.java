package dev.berth.streams.policy;

/**
 * Why a policy cannot come into force.
 *
 * @param policy name of the policy
 * @param key key at fault; empty when it is the name
 * @param value value at fault, as it was given
 * @param wrong what is wrong, with the range that is allowed
 * @param remedy what to do
 */
public record PolicyProblem(String policy, String key, String value, String wrong, String remedy) {

  /** The problem in one line. */
  public String text() {
    String what =
        key.isEmpty()
            ? "policy '%s'".formatted(policy)
            : "policy '%s', %s = '%s'".formatted(policy, key, value);
    return what + ": " + wrong + "; " + remedy;
  }
}
