package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatenessCommandTest {

  @TempDir Path home;
  private FakeServer server;
  private Shell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void lateness_shows_triggers_and_promises() {
    server.on(
        "GET /api/v1/lateness",
        Said.json(
            """
            {"window": "1h", "promised_ms": 1000, "count": 3, "late": 1, "p50_ms": 12, "p99_ms": 2500,
             "worst_ms": 2500,
             "triggers": [{"tenant": "default", "workflow": "etl", "trigger": "nightly", "count": 3,
                           "p50_ms": 12, "p99_ms": 2500, "worst_ms": 2500, "late": 1}],
             "promises": [{"promise": "timeout", "kept": 4, "broken": 1, "worst_ms": 1200,
                           "workflow": "etl", "run": "r1"},
                          {"promise": "deadline", "kept": 0, "broken": 0, "worst_ms": null,
                           "workflow": null, "run": null}]}
            """));

    var result = shell.run("lateness", "--window", "1h");

    assertThat(result.status()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            WORKFLOW  TRIGGER  PROMISED  COUNT  P50   P99     WORST   LATE
            all                1s        3      12ms  2.500s  2.500s  1
            etl       nightly  1s        3      12ms  2.500s  2.500s  1

            PROMISE       KEPT  BROKEN  WORST   WORKFLOW  RUN
            run.timeout   4     1       1.200s  etl       r1
            run.deadline  0     0       -       -         -

            1 of 3 instants fired later than promised (1s) in the last 1h.
            """);
    assertThat(server.only("/api/v1/lateness").query()).isEqualTo("window=1h");
    assertThat(shell.run("lateness", "--window", "soon").status()).isEqualTo(2);
  }
}
