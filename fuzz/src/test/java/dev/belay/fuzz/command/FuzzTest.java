package dev.belay.fuzz.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class FuzzTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** A real server process; ./belay prove fuzz does the same with 50,000. */
  @Test
  void two_thousand_requests_find_nothing_and_reach_every_route() {
    int status = run("--requests", "2000", "--seed", "1");
    assertThat(status).as(out + "\n" + err).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("PASSED: seed 1, 2,000 requests");
  }

  @Test
  void a_wrong_range_is_misuse() {
    assertThat(run("--only", "a..b")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--only takes a number");
  }

  private int run(String... args) {
    return Fuzz.execute(
        new Fuzz(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new SecureRandom(),
            System::nanoTime),
        args);
  }
}
