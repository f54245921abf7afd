package dev.belay.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void spread_has_the_middle_and_both_ends() {
    assertThat(Spread.of(List.of(30.0, 10.0, 20.0))).isEqualTo(new Spread(20, 10, 30));
    assertThat(Spread.of(List.of(10.0, 20.0)).median()).isEqualTo(15);
  }

  @Test
  void percentile_is_a_sample_that_was_seen() {
    var samples = IntStream.rangeClosed(1, 200).mapToObj(Double::valueOf).toList();

    assertThat(Spread.percentile(samples, 0.5)).isEqualTo(100);
    assertThat(Spread.percentile(samples, 0.99)).isEqualTo(198);
    assertThat(Spread.percentile(samples, 1)).isEqualTo(200);
  }

  @Test
  void json_has_the_rate_of_each_system() {
    var report =
        new Report(
            "throughput",
            List.of(),
            Map.of("fsync", "on"),
            List.of(Result.of("belay").withRate(new Spread(20, 10, 30)).with("ratio", 1.5)));

    assertThat(report.json())
        .isEqualTo(
            "{\"scenario\":\"throughput\",\"valid\":true,\"settings\":{\"fsync\":\"on\"},"
                + "\"results\":[{\"system\":\"belay\",\"rate\":20,\"median\":20,\"min\":10,"
                + "\"max\":30,\"ratio\":1.5}]}");
  }

  @Test
  void report_with_a_complaint_is_not_valid_and_says_why() {
    var report = new Report("throughput", List.of("The peer slept."), Map.of(), List.of());

    assertThat(report.json()).contains("\"valid\":false,\"reason\":\"The peer slept.\"");
    assertThat(report.lines()).contains("INVALID: The peer slept.");
  }
}
