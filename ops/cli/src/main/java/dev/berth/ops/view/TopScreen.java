package dev.berth.ops.view;

import dev.berth.proto.api.Lane;
import dev.berth.proto.api.OpenAttempt;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.Stuck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What goes on in a deployment, on one screen: lanes, the calls that are out, what is stuck. */
public final class TopScreen {
  /** Of the height, what the calls that are out may take. */
  private static final int PART = 3;

  private static final Columns<Out> OUT =
      Columns.<Out>of("calls")
          .column("PLUGIN", Out::plugin)
          .column("LANE", Out::lane)
          .column("CALL", out -> String.join("; ", out.attempt().getCallsList()))
          .column("WORKER", out -> out.attempt().getWorker())
          .column(
              "OUT FOR",
              (out, at) ->
                  at.age(
                      out.attempt().hasAcceptedAt()
                          ? out.attempt().getAcceptedAt()
                          : out.attempt().getDispatchedAt()))
          .column("BEHIND IT", out -> out.queued() == 0 ? "" : Long.toString(out.queued()));

  private TopScreen() {}

  /** A call that is out. */
  private record Out(String plugin, String lane, OpenAttempt attempt, long queued) {}

  /**
   * Its lines.
   *
   * @param rows lines at most (count); what does not fit is counted
   * @param columns characters of a line
   */
  public static List<String> lines(
      List<PluginLanes> plugins, List<Stuck> stuck, Moments moments, int rows, int columns) {
    List<String> lines = new ArrayList<>();
    lines.add(summary(plugins, stuck));
    add(lines, "Lanes", Tables.LANES, plugins, moments, rows, columns);
    List<Out> out = out(plugins);
    int rest = Math.max(1, rows - lines.size());
    add(lines, "Out", OUT, out, moments, lines.size() + Math.max(4, rest / PART), columns);
    add(lines, "Stuck", Tables.STUCK, stuck, moments, rows, columns);
    return lines;
  }

  private static String summary(List<PluginLanes> plugins, List<Stuck> stuck) {
    return "%d out, %d in line, %d held, %d stuck%s"
        .formatted(
            plugins.stream().mapToLong(PluginLanes::getOpen).sum(),
            plugins.stream().mapToLong(PluginLanes::getQueued).sum(),
            plugins.stream().mapToLong(PluginLanes::getHeld).sum(),
            stuck.size(),
            plugins.stream().anyMatch(PluginLanes::hasPause) ? ", a plugin is paused" : "");
  }

  private static List<Out> out(List<PluginLanes> plugins) {
    List<Out> out = new ArrayList<>();
    for (PluginLanes plugin : plugins) {
      for (Lane lane : plugin.getLanesList()) {
        if (lane.hasOpen()) {
          out.add(new Out(plugin.getPlugin(), lane.getLane(), lane.getOpen(), queued(lane)));
        }
      }
    }
    // The longest first: it is what the others wait for.
    out.sort(Comparator.comparing((Out each) -> Moments.instant(each.attempt().getDispatchedAt())));
    return out;
  }

  private static long queued(Lane lane) {
    return (long) lane.getQueuedAttaches() + lane.getQueuedDetaches() + lane.getQueuedNodeCalls();
  }

  private static <E> void add(
      List<String> lines,
      String head,
      Columns<E> columns,
      List<E> entries,
      Moments moments,
      int rows,
      int width) {
    if (entries.isEmpty()) {
      return;
    }
    lines.add("");
    lines.add(head);
    List<String> table = columns.table(entries, moments, false).lines(width);
    int room = rows - lines.size();
    if (table.size() <= room) {
      lines.addAll(table);
      return;
    }
    int shown = Math.max(2, room - 1);
    lines.addAll(table.subList(0, Math.min(shown, table.size())));
    lines.add("… and %d more".formatted(table.size() - Math.min(shown, table.size())));
  }
}
