package dev.berth.producers.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a pod's name tells of it.
 *
 * @param number the digits at its end; the pod's place in the file where there are none
 * @param family the name without the last two of those digits: a hundred pods in a row; the whole
 *     name where nothing else is in it
 */
record PodName(long number, String family) {

  private static final int DIGITS_WITHIN_FAMILY = 2;
  private static final Pattern NUMBERED = Pattern.compile("(.*?)([0-9]{1,18})");

  static PodName of(String name, int placeInFile) {
    Matcher matcher = NUMBERED.matcher(name);
    if (!matcher.matches()) {
      return new PodName(placeInFile, name);
    }
    String digits = matcher.group(2);
    String kept = digits.substring(0, Math.max(0, digits.length() - DIGITS_WITHIN_FAMILY));
    String family = (matcher.group(1) + kept).replaceAll("-+$", "");
    return new PodName(Long.parseLong(digits), family.isEmpty() ? name : family);
  }
}
