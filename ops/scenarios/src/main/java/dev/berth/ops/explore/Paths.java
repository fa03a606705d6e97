package dev.berth.ops.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** How each state was reached first: from which state, and by which step. */
final class Paths {
  /** Parent of the state that everything begins with. */
  static final int NONE = -1;

  private final Interning<Step> steps = new Interning<>();

  /** Parent and step of each state, one after the other. */
  private int[] links = new int[1 << 12];

  private int size;

  /** Notes the next state. */
  void add(int parent, Step step) {
    add(parent, steps.number(step));
  }

  /** Notes the state that everything begins with. */
  void begin() {
    add(NONE, NONE);
  }

  private void add(int parent, int step) {
    if (size == links.length) {
      links = Arrays.copyOf(links, size * 2);
    }
    links[size++] = parent;
    links[size++] = step;
  }

  /** The steps from the beginning to a state, a shortest way. */
  List<Step> to(int state) {
    List<Step> path = new ArrayList<>();
    for (int at = state; links[2 * at] != NONE; at = links[2 * at]) {
      path.add(steps.thing(links[2 * at + 1]));
    }
    Collections.reverse(path);
    return path;
  }
}
