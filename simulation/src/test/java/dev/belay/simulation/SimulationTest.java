package dev.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.simulation.Simulation.DatabaseAddress;
import dev.belay.store.Migrations;
import dev.belay.store.testing.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class SimulationTest {
  private static DatabaseAddress database = new DatabaseAddress("", "", "");

  @BeforeAll
  static void migrate() {
    var fresh = TestPostgres.freshDatabase();
    var source = new PGSimpleDataSource();
    source.setUrl(fresh.jdbcUrl());
    source.setUser(fresh.user());
    source.setPassword(fresh.password());
    Migrations.migrate(source);
    database = new DatabaseAddress(fresh.jdbcUrl(), fresh.user(), fresh.password());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void all_work_comes_to_one_true_end_on_postgresql_too(long seed) {
    var result = Simulation.run(Scenario.of(seed), Simulation.onPostgres(database));
    assertThat(result.failure()).isEmpty();
    assertThat(result.events()).isGreaterThan(2_000);
  }

  @Test
  void the_same_seed_gives_the_same_trace_on_postgresql_too() {
    var little = Scenario.of(11).withTrouble(Duration.ofMinutes(1)).withWork(10, 2);
    var once = Simulation.run(little, Simulation.onPostgres(database));
    var again = Simulation.run(little, Simulation.onPostgres(database));
    assertThat(again.traceHash()).isEqualTo(once.traceHash());
  }
}
