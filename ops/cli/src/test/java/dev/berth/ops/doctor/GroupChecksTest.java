package dev.berth.ops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.doctor.Check.Result;
import dev.berth.ops.doctor.GroupLook.Member;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The doctor says of groups")
class GroupChecksTest {
  private static final Member GONE = new Member("md0pwpgp", "worker-1-accept-pool", 8);
  private static final Member WAITS = new Member("QpxfwGfr", "worker-1-accept-pool", 23);

  @Test
  @DisplayName("that all is well where every member follows")
  void follow() {
    List<GroupLook> looks =
        List.of(look(23, WAITS), new GroupLook("berth-streams", "b:1", 4, List.of()));

    assertThat(GroupChecks.isUnsettled(looks)).isFalse();
    assertThat(GroupChecks.members(looks, looks))
        .containsExactly(
            new Check("groups", Result.OK, "2 of the new protocols, whose members follow", ""));
    assertThat(GroupChecks.members(List.of(), List.of()))
        .containsExactly(
            new Check(
                "groups", Result.OK, "none of the new protocols that this command may see", ""));
  }

  @Test
  @DisplayName("which member others wait for, when it does not move, and whom to restart")
  void stays() {
    List<GroupLook> looks = List.of(look(23, GONE, WAITS));

    assertThat(GroupChecks.isUnsettled(looks)).isTrue();
    assertThat(GroupChecks.members(looks, looks))
        .containsExactly(
            new Check(
                "groups",
                Result.WRONG,
                "berth.pool is at epoch 23 and waits for worker-1-accept-pool (md0pwpgp, at epoch"
                    + " 8): what they hold is nobody else's meanwhile",
                "where no such process runs, restart the broker b:1, which drops them then"));
  }

  @Test
  @DisplayName("nothing of a member that was behind and has followed, or was not there before")
  void moves() {
    Member moved = new Member(GONE.id(), GONE.client(), 22);

    assertThat(GroupChecks.members(List.of(look(23, GONE)), List.of(look(23, moved))))
        .extracting(Check::result)
        .containsExactly(Result.OK);
  }

  private static GroupLook look(int epoch, Member... members) {
    return new GroupLook("berth.pool", "b:1", epoch, List.of(members));
  }
}
