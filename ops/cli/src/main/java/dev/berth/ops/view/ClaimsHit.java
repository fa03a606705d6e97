package dev.berth.ops.view;

import dev.berth.proto.api.Claim;
import java.util.ArrayList;
import java.util.List;

/** The claims that a command would hit, for the person who is about to say yes. */
public final class ClaimsHit {
  private static final int SHOWN = 10;

  private ClaimsHit() {}

  /**
   * How many there are, and the first ten.
   *
   * @param where on what they are, as in "node n3"
   */
  public static List<String> lines(String where, List<Claim> claims) {
    if (claims.isEmpty()) {
      return List.of("There is no claim on %s now.".formatted(where));
    }
    List<String> lines = new ArrayList<>();
    lines.add("%s on %s now:".formatted(Phrases.count(claims.size(), "claim"), where));
    claims.stream().limit(SHOWN).map(ClaimsHit::line).forEach(lines::add);
    if (claims.size() > SHOWN) {
      lines.add("  and %d more; see berth claim list".formatted(claims.size() - SHOWN));
    }
    return lines;
  }

  private static String line(Claim claim) {
    String trouble = Phrases.trouble(claim);
    return "  %s %s on %s, %s%s%s"
        .formatted(
            Tables.name(claim.getRef()),
            claim.getAlloc(),
            claim.getNode(),
            Phrases.state(claim),
            claim.getClientStatus().isEmpty() ? "" : ", client says " + claim.getClientStatus(),
            trouble.isEmpty() ? "" : ", held up by " + trouble);
  }
}
