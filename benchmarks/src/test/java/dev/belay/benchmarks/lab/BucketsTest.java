package dev.belay.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BucketsTest {

  private static final String PAGE =
      """
      belay_results_batch_size_bucket{le="1.0"} 10
      belay_results_batch_size_bucket{le="500.0"} 90
      belay_results_batch_size_bucket{le="+Inf"} 100
      belay_results_batch_size_count 100
      belay_other_bucket{le="1.0"} 7
      """;

  @Test
  void a_percentile_is_the_bound_of_its_bucket() {
    var sizes = new Buckets(PAGE, "belay_results_batch_size");
    assertThat(sizes.percentile(0.05)).isEqualTo("<= 1");
    assertThat(sizes.percentile(0.5)).isEqualTo("<= 500");
    assertThat(sizes.percentile(0.99)).isEqualTo("> 500");
    assertThat(new Buckets(PAGE, "belay_dispatch_batch_size").percentile(0.5)).isEqualTo("none");
  }
}
