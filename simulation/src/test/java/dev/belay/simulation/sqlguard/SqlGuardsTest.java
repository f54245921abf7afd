package dev.belay.simulation.sqlguard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.embedded.testing.TestPostgres;
import dev.belay.store.Sql;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A guard that no test misses may be gone tomorrow. Each one is taken out of the text of its
 * statement, in a JVM of its own that finds that text first, and a race test must fail.
 */
class SqlGuardsTest {

  private static final long PATIENCE_SECONDS = 180;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void guard_stands_once_in_its_statement(SqlGuard guard) {
    assertThat(Sql.named(guard.statement)).containsOnlyOnce(guard.text);
  }

  @Test
  void race_tests_miss_the_state_of_a_claim() throws Exception {
    assertThat(races(SqlGuard.CLAIM_STATE)).isEqualTo(RaceRun.MISSED);
  }

  @EnabledIfSystemProperty(named = "belay.sqlguards", matches = "all")
  @Test
  void race_tests_pass_with_all_guards() throws Exception {
    assertThat(run(folder)).isZero();
  }

  @EnabledIfSystemProperty(named = "belay.sqlguards", matches = "all")
  @ParameterizedTest
  @EnumSource
  void race_tests_miss(SqlGuard guard) throws Exception {
    assertThat(races(guard)).as("exit status of the race tests").isEqualTo(RaceRun.MISSED);
  }

  private int races(SqlGuard guard) throws IOException, InterruptedException {
    Path file = folder.resolve("sql").resolve(guard.statement + ".sql");
    Files.createDirectories(file.getParent());
    Files.writeString(file, Sql.named(guard.statement).replace(guard.text, guard.instead));
    System.out.println("without " + guard + ":");
    return run(folder, guard.statement.replaceFirst("/.*", ""));
  }

  /** On one server for all of them: each has a database of its own. */
  private static int run(Path first, String... folders) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                first + ":" + System.getProperty("java.class.path"),
                RaceRun.class.getName()));
    command.addAll(List.of(folders));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    var database = TestPostgres.freshDatabase();
    builder
        .environment()
        .put(
            "BELAY_TEST_POSTGRES_URL",
            "%s?user=%s&password=%s"
                .formatted(
                    database.jdbcUrl(),
                    URLEncoder.encode(database.user(), StandardCharsets.UTF_8),
                    URLEncoder.encode(database.password(), StandardCharsets.UTF_8)));
    Process races = builder.start();
    try (var output = races.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = output.lines().filter(line -> line.startsWith("race tests")).toList();
      lines.forEach(line -> System.out.println("  " + line));
    }
    assertThat(races.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    return races.exitValue();
  }
}
