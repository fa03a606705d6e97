package dev.berth.streams.policy;

/** The table of policy keys as documentation. */
public final class PolicyPage {
  private static final String HEAD =
      """
      # Policies

      Made from `dev.berth.streams.policy.PolicySettings`; do not edit. A policy is a record on the topic `policies`, keyed
      by its name: `default`, `plugin/<id>` or `volume/<namespace>/<volume>`. The narrower one wins, key by key; what no
      policy sets has the default below. A key can be set no more narrowly than its scope says: a lane, the breaker of a
      node and the clock of the collections are shared by many volumes. Durations are written `2m`, `1h30m`, `10s`, `500ms`.
      A policy with a key or value that is not in this table is rejected as a whole, to the topic `rejected-records` with the
      reason, and what was in force stays.

      | key | default | values | scope | meaning |
      |---|---|---|---|---|
      """;

  private PolicyPage() {}

  /** Returns the page in Markdown. */
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (Setting<?> setting : PolicySettings.all()) {
      page.append(
          "| `%s` | `%s` | %s | `%s` | %s |\n"
              .formatted(
                  setting.key(),
                  setting.byDefault(),
                  setting.values().allowed(),
                  setting.narrowest().pattern(),
                  setting.meaning()));
    }
    return page.toString();
  }
}
