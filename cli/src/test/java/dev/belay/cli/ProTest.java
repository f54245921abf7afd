package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.embedded.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Server and agent as separate processes on an external PostgreSQL: the same path as in lite. */
@Execution(ExecutionMode.CONCURRENT)
class ProTest {

  @TempDir Path home;

  @Test
  void a_remote_worker_runs_what_a_server_on_an_external_database_accepted() throws Exception {
    var database = TestPostgres.freshDatabase();
    var password = Files.writeString(home.resolve("password"), database.password());
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
    var folder = home.resolve("server");
    var shell = new Shell(home);
    shell.env.put("BELAY_HOME", home.resolve("home").toString());
    try (var server =
        new BelayProcess(
                home,
                shell.env,
                "server",
                "--database-url",
                database.jdbcUrl(),
                "--user",
                database.user(),
                "--password-file",
                password.toString(),
                "--dir",
                folder.toString(),
                "--port",
                "0")
            .awaitOut("http://")) {
      var url = server.out().replaceFirst("(?s).*?(http://[0-9.:]+).*", "$1");
      try (var agent =
          new BelayProcess(
              home,
              shell.env,
              "agent",
              "--server",
              url,
              "--join-token-file",
              folder.resolve("join-token").toString(),
              "--dir",
              home.resolve("agent").toString(),
              "--name",
              "remote")) {
        shell.env.put("BELAY_SERVER", url);
        shell.env.put("BELAY_TOKEN_FILE", folder.resolve("token").toString());
        var submitted = shell.run("submit", "--wait", "--", "/bin/echo", "from afar");
        assertThat(submitted.out() + submitted.err()).contains("from afar").contains("SUCCEEDED");
        assertThat(submitted.status()).isZero();
        assertThat(shell.run("workers").out()).contains("remote").contains("CONNECTED");
        agent.signal("TERM");
        assertThat(agent.awaitExit()).as(agent.err()).isZero();
      }
      server.signal("TERM");
      assertThat(server.awaitExit()).as(server.err()).isZero();
    }
  }
}
