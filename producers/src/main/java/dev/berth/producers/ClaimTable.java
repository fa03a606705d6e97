package dev.berth.producers;

import java.util.List;
import java.util.Map;

/**
 * The claim table as it was read.
 *
 * @param rows what could be read of it
 * @param unreadable rows that could not be read (count)
 * @param position offset behind the last record by partition
 */
record ClaimTable(List<SeenClaim> rows, long unreadable, Map<Integer, Long> position) {}
