package dev.berth.workers.secrets;

import dev.berth.records.Call;
import dev.berth.records.NotSentReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Resolves the references of a call. */
public sealed interface SecretResolution {

  /**
   * All references have values.
   *
   * @param secrets the CSI secrets
   * @param mountFlags the mount flags
   * @param redaction takes the values out of what comes back
   */
  record Resolved(Map<String, String> secrets, List<String> mountFlags, Redaction redaction)
      implements SecretResolution {

    /** Copies its collections. */
    public Resolved {
      secrets = Map.copyOf(secrets);
      mountFlags = List.copyOf(mountFlags);
    }

    @Override
    public String toString() {
      return "Resolved[secrets=%s, values hidden]".formatted(secrets.keySet());
    }
  }

  /**
   * The call cannot be made.
   *
   * @param reason SECRET_UNAVAILABLE, or INVALID when a secret is no reference
   * @param message names the reference; never a value
   * @param missing references that lead nowhere
   */
  record Refused(NotSentReason reason, String message, List<SecretReference> missing)
      implements SecretResolution {
    /** Keeps a copy. */
    public Refused {
      missing = List.copyOf(missing);
    }
  }

  /**
   * Resolves the secrets and mount flags of a call. A secret must hold a reference: a plain value
   * would be a value in a topic. A mount flag may hold one.
   */
  static SecretResolution of(Call call, SecretSource source) {
    SecretLookups lookups = new SecretLookups(source);
    Map<String, String> secrets = new HashMap<>();
    for (Map.Entry<String, String> secret : call.getSecrets().entrySet()) {
      if (!SecretReference.PATTERN.matcher(secret.getValue()).find()) {
        return new Refused(
            NotSentReason.INVALID,
            "secret '%s' is not a reference: register the volume with one, like ${file:/path:key};"
                    .formatted(secret.getKey())
                + " values do not belong in topics",
            List.of());
      }
      secrets.put(secret.getKey(), lookups.replace(secret.getValue()));
    }
    List<String> flags = new ArrayList<>();
    call.getMountFlags().forEach(flag -> flags.add(lookups.replace(flag)));
    return lookups.missing().isEmpty()
        ? new Resolved(secrets, flags, Redaction.of(lookups.values()))
        : new Refused(
            NotSentReason.SECRET_UNAVAILABLE,
            String.join("; ", lookups.missing()),
            lookups.missed());
  }
}
