package dev.belay.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What READ COMMITTED shows, hides and looks at again. */
class StatementTest {

  private final Database database = new Database(InstantSource.fixed(Instant.EPOCH));
  private final Table<String, int[]> table = new Table<>("number", int[]::clone);

  @BeforeEach
  void one_row() {
    database.<Integer>statement(
        statement -> {
          statement.insert(table, "row", new int[] {1});
          return 0;
        });
  }

  /** In the middle of the next statement, which others then leave alone. */
  private void meanwhile(Runnable act) {
    database.others(
        () -> {
          database.others(() -> {});
          act.run();
        });
  }

  private Optional<int[]> set(int from, int to) {
    return database.statement(statement -> set(statement, from, to));
  }

  private Optional<int[]> set(ModelStatement statement, int from, int to) {
    return statement.update(table, "row", row -> row[0] == from, row -> row[0] = to);
  }

  private int value() {
    return database.statement(statement -> statement.read(table, "row").orElseThrow()[0]);
  }

  @Test
  void reads_what_was_there_when_it_began_and_the_next_statement_what_is_there_now() {
    database.<Integer>transaction(
        transaction -> {
          meanwhile(() -> set(1, 2));
          int first =
              transaction.statement(statement -> statement.read(table, "row").orElseThrow()[0]);
          int second =
              transaction.statement(statement -> statement.read(table, "row").orElseThrow()[0]);
          assertThat(first).isEqualTo(1);
          assertThat(second).isEqualTo(2);
          return 0;
        });
  }

  @Test
  void does_not_find_a_row_that_was_inserted_after_it_began() {
    meanwhile(
        () ->
            database.<Integer>statement(
                statement -> {
                  statement.insert(table, "late", new int[] {1});
                  return 0;
                }));
    int found = database.statement(statement -> statement.rows(table, any -> true).size());
    assertThat(found).isEqualTo(1);
  }

  @Test
  void leaves_a_row_alone_that_no_longer_fits() {
    meanwhile(() -> set(1, 2));
    assertThat(set(1, 3)).isEmpty();
    assertThat(value()).isEqualTo(2);
  }

  @Test
  void changes_the_row_as_it_is_now_if_it_still_fits() {
    meanwhile(() -> set(1, 2));
    database.statement(
        statement -> statement.update(table, "row", row -> row[0] < 9, row -> row[0] += 10));
    assertThat(value()).isEqualTo(12);
  }

  @Test
  void does_not_find_a_row_that_fits_only_now() {
    meanwhile(() -> set(1, 2));
    assertThat(set(2, 3)).isEmpty();
    assertThat(value()).isEqualTo(2);
  }

  @Test
  void writes_a_row_at_most_once() {
    database.<Integer>statement(
        statement -> {
          assertThat(set(statement, 1, 2)).isPresent();
          assertThat(statement.read(table, "row").orElseThrow()[0]).isEqualTo(1);
          assertThat(statement.update(table, "row", any -> true, row -> row[0] = 3)).isEmpty();
          return 0;
        });
    assertThat(value()).isEqualTo(2);
  }

  @Test
  void upsert_looks_at_what_is_there_now() {
    meanwhile(() -> set(1, 2));
    var refused =
        database.statement(
            statement ->
                statement.upsert(
                    table, "row", new int[] {7}, row -> row[0] == 1, row -> row[0] = 7));
    var done =
        database.statement(
            statement ->
                statement.upsert(
                    table, "row", new int[] {8}, row -> row[0] == 2, row -> row[0] = 8));
    assertThat(refused).isEmpty();
    assertThat(done).isPresent();
    assertThat(value()).isEqualTo(8);
  }

  @Test
  void rollback_takes_back_every_write() {
    assertThatThrownBy(
            () ->
                database.transaction(
                    transaction -> {
                      transaction.statement(statement -> set(statement, 1, 2));
                      transaction.statement(statement -> set(statement, 2, 3));
                      throw new IllegalStateException("on purpose");
                    }))
        .hasMessage("on purpose");
    assertThat(value()).isEqualTo(1);
    assertThat(set(1, 4)).isPresent();
  }

  @Test
  void what_another_has_not_committed_is_not_seen_and_not_waited_for() {
    database.<Integer>transaction(
        transaction -> {
          transaction.statement(statement -> set(statement, 1, 2));
          assertThat(value()).isEqualTo(1);
          assertThatThrownBy(() -> set(1, 3)).isInstanceOf(LockNotAvailable.class);
          return 0;
        });
    assertThat(value()).isEqualTo(2);
  }

  @Test
  void shared_rows_are_read_by_many_and_written_by_nobody_else() {
    database.<Integer>transaction(
        transaction -> {
          transaction.statement(statement -> statement.share(table, "row", any -> true));
          database.statement(statement -> statement.share(table, "row", any -> true));
          assertThatThrownBy(() -> set(1, 2)).isInstanceOf(LockNotAvailable.class);
          return 0;
        });
    assertThat(set(1, 2)).isPresent();
  }

  @Test
  void terminated_transaction_writes_nothing_and_holds_nothing() {
    assertThatThrownBy(
            () ->
                database.<Integer>transaction(
                    transaction -> {
                      transaction.statement(statement -> set(statement, 1, 2));
                      meanwhile(
                          () -> {
                            transaction.terminate();
                            set(1, 5);
                          });
                      transaction.statement(statement -> set(statement, 2, 3));
                      return 0;
                    }))
        .isInstanceOf(Terminated.class);
    assertThat(value()).isEqualTo(5);
  }

  @Test
  void transaction_that_is_terminated_after_its_last_statement_does_not_commit() {
    assertThatThrownBy(
            () ->
                database.<Integer>transaction(
                    transaction -> {
                      transaction.statement(statement -> set(statement, 1, 2));
                      transaction.terminate();
                      return 0;
                    }))
        .isInstanceOf(Terminated.class);
    assertThat(value()).isEqualTo(1);
  }
}
