package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.ProviderSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Holds what a caller did against what the CSI specification and the lanes promise. Pure:
 * everything it knows is in its arguments, and an empty list says that all is well.
 */
public final class CallAudit {

  private CallAudit() {}

  /**
   * All checks.
   *
   * @param calls the whole log
   * @param providers by plugin name, as they are at the end; plugins not named are not checked for
   *     what is left attached, and all their volumes count as multi-node
   */
  public static List<Finding> audit(
      List<Call> calls, Map<String, ProviderSnapshot> providers, Expectations expected) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(tooManyOpen(calls, expected));
    findings.addAll(notReleased(calls, singleNodeVolumes(providers)));
    findings.addAll(leftAttached(providers));
    findings.addAll(withoutNode(calls));
    findings.addAll(outOfOrder(calls, expected));
    return List.copyOf(findings);
  }

  /** The greatest number of controller calls open together, by plugin. */
  public static Map<String, Integer> mostOpenPerPlugin(List<Call> calls) {
    return OpenTogether.most(calls, CallAudit::plugin);
  }

  /** The greatest number of controller calls open together, by {@code plugin/volume}. */
  public static Map<String, Integer> mostOpenPerVolume(List<Call> calls) {
    return OpenTogether.most(calls, CallAudit::volume);
  }

  /** Controller calls that were open together though they should not have been. */
  public static List<Finding> tooManyOpen(List<Call> calls, Expectations expected) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        OpenTogether.beyond(expected.openPerPlugin(), calls, call -> "plugin " + plugin(call)));
    findings.addAll(
        OpenTogether.beyond(expected.openPerVolume(), calls, call -> "volume " + volume(call)));
    return findings;
  }

  /**
   * Single-node volumes that went to another node without an OK detach.
   *
   * @param singleNode tells by plugin and volume which ones to look at
   */
  public static List<Finding> notReleased(
      List<Call> calls, BiPredicate<String, String> singleNode) {
    return grouped(calls, CallAudit::volume).values().stream()
        .filter(
            ofVolume -> {
              CallFacts facts = ofVolume.get(0).facts();
              return singleNode.test(facts.plugin(), facts.volume());
            })
        .flatMap(ofVolume -> Handover.check(ofVolume).stream())
        .toList();
  }

  /** What is attached now. */
  public static List<Finding> leftAttached(Map<String, ProviderSnapshot> providers) {
    List<Finding> findings = new ArrayList<>();
    providers.forEach(
        (plugin, provider) ->
            provider
                .attachments()
                .forEach(left -> findings.add(new Finding.LeftAttached(plugin, left))));
    return findings;
  }

  /** Controller calls without a node id. */
  public static List<Finding> withoutNode(List<Call> calls) {
    return calls.stream()
        .filter(call -> call.facts().rpc().isControllerWork())
        .filter(call -> call.facts().node().isEmpty())
        .<Finding>map(Finding.WithoutNode::new)
        .toList();
  }

  /** Steps of a volume on a node that came too early. */
  public static List<Finding> outOfOrder(List<Call> calls, Expectations expected) {
    Map<String, StepOrder.Steps> steps =
        calls.stream()
            .collect(
                Collectors.groupingBy(
                    CallAudit::plugin,
                    Collectors.collectingAndThen(Collectors.toList(), StepOrder.Steps::of)));
    return grouped(calls, CallAudit::volumeOnNode).values().stream()
        .flatMap(
            ofNode -> {
              CallFacts facts = ofNode.get(0).facts();
              return StepOrder.check(
                  ofNode,
                  steps.getOrDefault(facts.plugin(), new StepOrder.Steps(false, false)),
                  expected.lostNodes().contains(facts.node()))
                  .stream();
            })
        .toList();
  }

  private static BiPredicate<String, String> singleNodeVolumes(
      Map<String, ProviderSnapshot> providers) {
    Set<String> names =
        providers.entrySet().stream()
            .flatMap(
                provider ->
                    provider.getValue().volumes().stream()
                        .filter(volume -> volume.access() == Access.SINGLE_NODE)
                        .map(volume -> provider.getKey() + "/" + volume.id()))
            .collect(Collectors.toSet());
    return (plugin, volume) -> names.contains(plugin + "/" + volume);
  }

  private static Map<String, List<Call>> grouped(List<Call> calls, Function<Call, String> key) {
    return calls.stream()
        .filter(call -> call.facts().rpc().changesState())
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }

  private static String plugin(Call call) {
    return call.facts().plugin();
  }

  private static String volume(Call call) {
    return call.facts().plugin() + "/" + call.facts().volume();
  }

  private static String volumeOnNode(Call call) {
    return volume(call) + "/" + call.facts().node();
  }
}
