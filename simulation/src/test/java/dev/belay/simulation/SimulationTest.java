package dev.belay.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.simulation.Simulation.DatabaseAddress;
import dev.belay.store.Migrations;
import dev.belay.store.testing.TestPostgres;
import java.sql.SQLException;
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
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void all_work_comes_to_one_true_end_whatever_breaks_on_the_way(long seed) throws SQLException {
    var result = Simulation.run(seed, Faults.MANY, database);
    assertThat(result.steps()).isGreaterThan(1_000);
  }

  @Test
  void the_same_seed_gives_the_same_trace() throws SQLException {
    var once = Simulation.run(11, Faults.MANY, database);
    var again = Simulation.run(11, Faults.MANY, database);
    var other = Simulation.run(12, Faults.MANY, database);
    assertThat(again).isEqualTo(once);
    assertThat(other.trace()).isNotEqualTo(once.trace());
  }
}
