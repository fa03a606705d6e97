package dev.berth.ops.doctor;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.StreamsGroupDescription;

/**
 * What the brokers say of one group of theirs, at one moment.
 *
 * @param group its id
 * @param coordinator the broker that keeps it, {@code host:port}
 * @param epoch how far the group is; the next one begins whenever a member comes or goes
 * @param members all of them
 */
record GroupLook(String group, String coordinator, int epoch, List<Member> members) {

  /**
   * A member.
   *
   * @param id drawn by its process; a process that begins anew draws another
   * @param client {@code client.id} of its process
   * @param epoch the last one it has followed
   */
  record Member(String id, String client, int epoch) {}

  GroupLook {
    members = List.copyOf(members);
  }

  /** Of a group of the protocol {@code streams}. */
  static GroupLook of(StreamsGroupDescription group) {
    return new GroupLook(
        group.groupId(),
        group.coordinator().host() + ":" + group.coordinator().port(),
        group.groupEpoch(),
        group.members().stream()
            .map(member -> new Member(member.memberId(), member.clientId(), member.memberEpoch()))
            .toList());
  }

  /**
   * Of a group of the protocol {@code consumer}. Its classic members have no epoch, and brokers
   * drop those that do not answer in another way.
   */
  static GroupLook of(ConsumerGroupDescription group) {
    List<Member> members = new ArrayList<>();
    group
        .members()
        .forEach(
            member ->
                member
                    .memberEpoch()
                    .ifPresent(
                        epoch ->
                            members.add(
                                new Member(member.consumerId(), member.clientId(), epoch))));
    return new GroupLook(
        group.groupId(),
        group.coordinator().host() + ":" + group.coordinator().port(),
        group.groupEpoch().orElse(0),
        members);
  }

  /** The members that have not followed the group to where it is. */
  List<Member> behind() {
    return members.stream().filter(member -> member.epoch() < epoch).toList();
  }
}
