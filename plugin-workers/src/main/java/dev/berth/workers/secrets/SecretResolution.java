package dev.berth.workers.secrets;

import dev.berth.records.Call;
import dev.berth.records.CsiCall;
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
   * would be a value in a topic. A mount flag may hold one. What the RPC has no field for is only
   * looked up so that it can be taken out of what comes back: an unmount does not wait for a secret
   * that it does not need.
   */
  static SecretResolution of(Call call, SecretSource source) {
    SecretLookups sent = new SecretLookups(source);
    SecretLookups unsent = new SecretLookups(source);
    SecretLookups forSecrets = hasSecrets(call.getRpc()) ? sent : unsent;
    SecretLookups forFlags = hasMountFlags(call.getRpc()) ? sent : unsent;
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
      secrets.put(secret.getKey(), forSecrets.replace(secret.getValue()));
    }
    List<String> flags = new ArrayList<>();
    call.getMountFlags().forEach(flag -> flags.add(forFlags.replace(flag)));
    if (!sent.missing().isEmpty()) {
      return new Refused(
          NotSentReason.SECRET_UNAVAILABLE, String.join("; ", sent.missing()), sent.missed());
    }
    List<String> values = new ArrayList<>(sent.values());
    values.addAll(unsent.values());
    return new Resolved(secrets, flags, Redaction.of(values));
  }

  /** CSI: {@code secrets} of the requests; NodeUnpublishVolume and NodeUnstageVolume have none. */
  private static boolean hasSecrets(CsiCall rpc) {
    return switch (rpc) {
      case CONTROLLER_PUBLISH, CONTROLLER_UNPUBLISH, NODE_STAGE, NODE_PUBLISH -> true;
      case NODE_UNPUBLISH, NODE_UNSTAGE -> false;
    };
  }

  /** CSI: {@code volume_capability}, which only the way in carries. */
  private static boolean hasMountFlags(CsiCall rpc) {
    return switch (rpc) {
      case CONTROLLER_PUBLISH, NODE_STAGE, NODE_PUBLISH -> true;
      case CONTROLLER_UNPUBLISH, NODE_UNPUBLISH, NODE_UNSTAGE -> false;
    };
  }
}
