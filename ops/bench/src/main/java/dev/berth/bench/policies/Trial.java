package dev.berth.bench.policies;

import java.util.List;

/**
 * What every policy is put through in one run: the same uses, outages and driver times.
 *
 * @param uses uses in the order of their claims
 * @param outages outages in the order of their beginning
 * @param nodes nodes that uses are on
 * @param seed of the driver's times and failures
 * @param horizon when the run ends, whatever is left (milliseconds)
 */
record Trial(List<Use> uses, List<Outage> outages, List<String> nodes, long seed, long horizon) {
  Trial {
    uses = List.copyOf(uses);
    outages = List.copyOf(outages);
    nodes = List.copyOf(nodes);
  }
}
