package dev.berth.producers;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.JobType;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An alloc's claim on a volume. Start with {@link #read} or {@link #write} and add what differs:
 *
 * <pre>{@code
 * ClaimRequest.write("alloc-1", "node-a", "default", "vol-1", AccessMode.SINGLE_NODE_WRITER)
 *     .job("web", JobType.SERVICE)
 *     .stopOnDisconnect(Duration.ofMinutes(5))
 *     .build()
 * }</pre>
 *
 * @param alloc alloc id, unique within the scheduler, no slash
 * @param node node the alloc is placed on, no slash
 * @param namespace namespace of the volume, no slash
 * @param volume volume id, no slash
 * @param mode read or write
 * @param access CSI access mode
 * @param attachment file system (unless said otherwise) or block device
 * @param job job name, for display
 * @param jobType job type, for display
 * @param block name of the volume block, where an alloc has several on one volume
 * @param stopOnDisconnect how long after losing contact with its node the alloc stops itself; empty
 *     when it makes no such promise. Berth detaches under a lost node on the strength of it
 * @param index number of the statement when the scheduler numbers itself ({@link
 *     IndexSource#CALLER}); empty otherwise
 */
public record ClaimRequest(
    String alloc,
    String node,
    String namespace,
    String volume,
    ClaimMode mode,
    AccessMode access,
    AttachmentMode attachment,
    Optional<String> job,
    JobType jobType,
    Optional<String> block,
    Optional<Duration> stopOnDisconnect,
    OptionalLong index) {

  /**
   * Checks every field.
   *
   * @throws InvalidEventException naming field, value and remedy
   */
  public ClaimRequest {
    FieldRules.id("alloc", alloc);
    FieldRules.id("node", node);
    FieldRules.id("namespace", namespace);
    FieldRules.id("volume", volume);
    FieldRules.name("job", job);
    FieldRules.known("jobType", jobType);
    FieldRules.name("block", block);
    stopOnDisconnect.ifPresent(FieldRules::stopOnDisconnect);
  }

  /** Begins a claim to read a file system. */
  public static Builder read(
      String alloc, String node, String namespace, String volume, AccessMode access) {
    return new Builder(alloc, node, namespace, volume, ClaimMode.READ, access);
  }

  /** Begins a claim to read and write a file system. */
  public static Builder write(
      String alloc, String node, String namespace, String volume, AccessMode access) {
    return new Builder(alloc, node, namespace, volume, ClaimMode.WRITE, access);
  }

  /** What a claim may say besides. */
  public static final class Builder {
    private final String alloc;
    private final String node;
    private final String namespace;
    private final String volume;
    private final ClaimMode mode;
    private final AccessMode access;
    private AttachmentMode attachment = AttachmentMode.FILE_SYSTEM;
    private Optional<String> job = Optional.empty();
    private JobType jobType = JobType.OTHER;
    private Optional<String> block = Optional.empty();
    private Optional<Duration> stopOnDisconnect = Optional.empty();
    private OptionalLong index = OptionalLong.empty();

    private Builder(
        String alloc,
        String node,
        String namespace,
        String volume,
        ClaimMode mode,
        AccessMode access) {
      this.alloc = alloc;
      this.node = node;
      this.namespace = namespace;
      this.volume = volume;
      this.mode = mode;
      this.access = access;
    }

    /** How the volume appears on the node. */
    public Builder attachment(AttachmentMode value) {
      attachment = value;
      return this;
    }

    /** Job the alloc belongs to, for display. */
    public Builder job(String name, JobType type) {
      job = Optional.of(name);
      jobType = type;
      return this;
    }

    /** Which of the alloc's several blocks on this volume. */
    public Builder block(String name) {
      block = Optional.of(name);
      return this;
    }

    /** The alloc's promise to stop itself so long after losing contact with its node. */
    public Builder stopOnDisconnect(Duration after) {
      stopOnDisconnect = Optional.of(after);
      return this;
    }

    /** Number of the statement ({@link IndexSource#CALLER}). */
    public Builder at(long statementIndex) {
      index = OptionalLong.of(statementIndex);
      return this;
    }

    /**
     * Returns the claim.
     *
     * @throws InvalidEventException naming field, value and remedy
     */
    public ClaimRequest build() {
      return new ClaimRequest(
          alloc,
          node,
          namespace,
          volume,
          mode,
          access,
          attachment,
          job,
          jobType,
          block,
          stopOnDisconnect,
          index);
    }
  }
}
