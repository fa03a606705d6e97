package dev.berth.schemas.topics;

/** Who writes to and reads from topics; access control lists are drawn up by these. */
public enum Party {
  /** A scheduler, through the library of {@code producers}. */
  SCHEDULER("schedulers"),
  /** A person or a tool acting for one: the command line, the console. */
  OPERATOR("operators"),
  /** The processor that decides about volumes and claims; its router passes commands on. */
  VOLUME_CLAIMS("VolumeClaims"),
  /** The processor that decides when a plugin is called. */
  LANES("Lanes"),
  /** The processor that decides what is known of nodes, plugins and policies. */
  CLUSTER("Cluster"),
  /** A worker that calls plugins. */
  WORKER("workers"),
  /** The query and command API, which every instance of the Streams application offers. */
  API("the API");

  private final String label;

  Party(String label) {
    this.label = label;
  }

  /** Returns the name as the documentation writes it. */
  public String label() {
    return label;
  }
}
