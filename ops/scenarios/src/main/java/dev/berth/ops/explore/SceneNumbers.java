package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.List;

/**
 * Scenes as a few numbers each: every part of a scene is one of those that were seen before, or a
 * new one with the next number. A scene takes 32 bytes, whatever its rows hold.
 *
 * <p>For several threads.
 */
final class SceneNumbers {
  private static final int FIXED = 6;

  private final int volumes;
  private final Interning<Rows> rows = new Interning<>();
  private final Interning<Outside> outsides = new Interning<>();
  private final Interning<Allocs> allocs = new Interning<>();
  private final Interning<Work> works = new Interning<>();

  private record Outside(
      List<Provider.Attached> attached,
      List<Provider.Mount> mounts,
      List<Provider.Staged> staged,
      List<Provider.Attached> begun,
      List<Integer> machines) {}

  private record Allocs(List<Alloc> allocs) {}

  private record Work(
      List<dev.berth.streams.work.Work> work,
      List<dev.berth.streams.lanes.LanesEvent.OutcomeArrived> late,
      List<OpenCall> calls) {}

  SceneNumbers(int volumes) {
    this.volumes = volumes;
  }

  /** Numbers in each scene (count). */
  int width() {
    return FIXED + volumes;
  }

  /** The numbers of a canonical scene. */
  int[] of(Scene scene) {
    int[] numbers = new int[width()];
    numbers[0] = rows.number(scene.cluster());
    numbers[1] = rows.number(scene.volumesView());
    numbers[2] = rows.number(scene.lanes());
    numbers[3] = works.number(new Work(scene.work(), scene.late(), scene.calls()));
    numbers[4] =
        outsides.number(
            new Outside(
                scene.attached(), scene.mounts(), scene.staged(), scene.begun(), scene.machines()));
    numbers[5] = allocs.number(new Allocs(scene.allocs()));
    for (int i = 0; i < volumes; i++) {
      numbers[FIXED + i] = rows.number(scene.claims().get(i));
    }
    return numbers;
  }

  /** The scene of numbers. */
  Scene scene(int[] numbers) {
    Work work = works.thing(numbers[3]);
    Outside outside = outsides.thing(numbers[4]);
    Rows view = rows.thing(numbers[1]);
    List<Rows> claims = new ArrayList<>();
    for (int i = 0; i < volumes; i++) {
      claims.add(rows.thing(numbers[FIXED + i]));
    }
    return new Scene(
        Sim.BEGIN,
        rows.thing(numbers[0]),
        view,
        view,
        claims,
        rows.thing(numbers[2]),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        work.work(),
        List.of(),
        work.late(),
        work.calls(),
        outside.attached(),
        outside.mounts(),
        outside.staged(),
        outside.begun(),
        allocs.thing(numbers[5]).allocs(),
        outside.machines());
  }
}
