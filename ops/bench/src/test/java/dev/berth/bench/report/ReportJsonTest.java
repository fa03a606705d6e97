package dev.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReportJsonTest {

  @Test
  @DisplayName(
      "a document holds every repetition and the share of others, null where it is unknown")
  void document() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    assertThat(ReportJson.of(Reports.one(), mapper))
        .hasToString(
            mapper
                .readTree(
                    """
                    {"environment": {"at": "2030-01-01T00:00:00Z", "berth": "0.1.0",
                       "commit": "abc1234", "kafka": "4.4.0", "java": "17.0.1 Some VM",
                       "options": ["-Xmx3g"], "system": "Linux 6 amd64", "processor": "Some CPU",
                       "cores": 2, "memoryMib": 24000},
                     "quick": true, "goalsMet": false,
                     "sections": [{"bench": "core", "about": "What it is.",
                       "settings": {"rounds": "3", "nodes": "100"},
                       "measures": [
                         {"name": "decide: time", "unit": "µs", "median": 1.5, "min": 1.4, "max": 1.7,
                          "deviation": 0.10000000000000009, "repetitions": [
                           {"value": 1.5, "foreign": 0.25}, {"value": 1.7, "foreign": 0.5},
                           {"value": 1.4, "foreign": null}]},
                         {"name": "moves", "unit": "", "median": 1234.0, "min": 1234.0, "max": 1234.0,
                          "deviation": 0.0, "repetitions": [{"value": 1234.0, "foreign": null}]}],
                       "goals": [
                         {"name": "time", "bound": "at-most", "limit": 2.0, "found": 1.5, "unit": "µs",
                          "met": true},
                         {"name": "ratio", "bound": "at-least", "limit": 0.7, "found": 0.5,
                          "unit": "", "met": false}],
                       "plots": ["core.svg"], "notes": ["A note."], "seconds": 90.0}]}
                    """)
                .toString());
  }
}
