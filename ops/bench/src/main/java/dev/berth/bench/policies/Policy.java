package dev.berth.bench.policies;

/**
 * A way of giving volumes to those who claim them. It is told what happens, and answers through
 * {@link World#granted} and {@link World#call}.
 */
interface Policy {
  /** An alloc claims a volume. */
  void claimed(Use use);

  /** The workload of a granted use has ended; its client is unmounting. */
  void ended(Use use);

  /** The client of a use has unmounted; it is heard of only from nodes that are in contact. */
  void unmounted(Use use);

  /** The scheduler has given up the alloc of a use, granted or not, with its node. */
  void lost(Use use);

  /** The scheduler has given up a node. */
  void nodeDown(String node);

  /** Somebody vouches that a node that is down does not write any more. */
  void nodeFenced(String node);

  /** A node is in contact again, and clean. */
  void nodeBack(String node);

  /** Makes a policy for a world. */
  interface Maker {
    /** A new one, to be told of this world. */
    Policy make(World world);
  }
}
