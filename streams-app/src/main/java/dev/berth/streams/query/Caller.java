package dev.berth.streams.query;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Who calls. Whoever knows callers (an interceptor in front of the service) puts one under {@link
 * #KEY} of the gRPC context; without one everybody is {@link #LOCAL}, which is why the API then
 * listens on the loopback address only.
 *
 * @param name recorded as the author of commands
 * @param roles what they may do; looked at by the interceptor, not by the service
 * @param namespaces namespaces whose volumes they may see and change; {@link #EVERY_NAMESPACE}
 *     stands for all
 */
public record Caller(String name, Set<Role> roles, Set<String> namespaces) {

  /** What a caller may do; each includes those before it. */
  public enum Role {
    /** See. */
    READ,
    /** Send the commands of a day's work. */
    OPERATE,
    /** Send every command. */
    ADMIN
  }

  /** In {@link #namespaces}: all of them. */
  public static final String EVERY_NAMESPACE = "*";

  /** Somebody on this machine, who may do everything. */
  public static final Caller LOCAL =
      new Caller("local", EnumSet.allOf(Role.class), Set.of(EVERY_NAMESPACE));

  /** Where the caller of a call is found. */
  public static final Context.Key<Caller> KEY = Context.keyWithDefault("berth-caller", LOCAL);

  /**
   * Tells whether the caller of a call is still who they were when it began, with the same rights.
   */
  public static final Context.Key<BooleanSupplier> STILL =
      Context.keyWithDefault("berth-caller-still", () -> true);

  /** Keeps copies. */
  public Caller {
    roles = Set.copyOf(roles);
    namespaces = Set.copyOf(namespaces);
  }

  /** The caller of the call under way. */
  public static Caller current() {
    return KEY.get();
  }

  /**
   * Ends what goes on for long, once its caller is withdrawn or may something else.
   *
   * @throws StatusRuntimeException UNAUTHENTICATED
   */
  static void requireStill() {
    if (!STILL.get().getAsBoolean()) {
      throw Status.UNAUTHENTICATED
          .withDescription(
              "the token, certificate or session of this call has ended, or gives other rights now;"
                  + " call again")
          .asRuntimeException();
    }
  }

  /** Whether every namespace is theirs. */
  public boolean seesAll() {
    return namespaces.contains(EVERY_NAMESPACE);
  }

  /** Whether a namespace is theirs. */
  public boolean sees(String namespace) {
    return seesAll() || namespaces.contains(namespace);
  }
}
