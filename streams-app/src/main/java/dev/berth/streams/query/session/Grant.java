package dev.berth.streams.query.session;

import dev.berth.streams.query.Caller;
import dev.berth.streams.query.Caller.Role;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a caller has handed on to a session.
 *
 * @param caller name in the file of callers
 * @param role the highest role
 * @param namespaces namespaces; {@link Caller#EVERY_NAMESPACE} stands for all of the caller's
 */
record Grant(String caller, Role role, Set<String> namespaces) {

  /** Keeps a copy. */
  Grant {
    namespaces = Set.copyOf(namespaces);
  }

  /** What is left of it: no more than it says, and no more than the caller may now. */
  Caller within(Caller known) {
    Set<Role> roles = EnumSet.range(Role.READ, role);
    roles.retainAll(known.roles());
    return new Caller(known.name(), roles, namespaces(known));
  }

  private Set<String> namespaces(Caller known) {
    if (namespaces.contains(Caller.EVERY_NAMESPACE)) {
      return known.namespaces();
    }
    return namespaces.stream().filter(known::sees).collect(Collectors.toSet());
  }
}
