package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListCursorTest {

  @TempDir Path home;

  @Test
  void a_list_continues_at_the_cursor_that_the_last_one_named() throws IOException {
    try (var server = new FakeServer()) {
      var shell = new Shell(home).server(server);
      server.on("GET /api/v1/alerts", Said.json("{\"items\":[{\"id\":1}],\"next\":\"c2\"}"));

      var first = shell.run("alerts", "--limit", "1");
      assertThat(first.err()).contains("continue with --cursor c2.");
      shell.run("alerts", "--limit", "1", "--cursor", "c2");

      assertThat(server.asked.getLast().query()).isEqualTo("limit=1&cursor=c2");
      var summary = shell.run("recovery", "--cursor", "c2");
      assertThat(summary.status()).isEqualTo(2);
      assertThat(summary.err()).contains("--cursor belongs to --events");
    }
  }
}
