package dev.belay.store.schedule;

import dev.belay.store.fixture.StoreFixture;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Triggers and rows of their ledger, written as they are. Times are minutes before now. */
final class Ledger {

  static final String SPEC = "{\"every\": \"1m\"}";

  private final StoreFixture rows;

  Ledger(StoreFixture rows) {
    this.rows = rows;
  }

  /** A trigger with a live version, since an hour. */
  UUID trigger(String workflow, String name, String kind) {
    UUID id = rows.ids().next();
    rows.run(
        "INSERT INTO trigger VALUES ('%s', 'default', '%s', '%s', %s)"
            .formatted(id, workflow, name, ago(60)));
    version(id, kind, null);
    return id;
  }

  /** A version since an hour. */
  UUID version(UUID trigger, String kind, @Nullable Integer ended) {
    UUID id = rows.ids().next();
    boolean timed = kind.equals("timed") || kind.equals("expect_by");
    rows.run(
        """
        INSERT INTO trigger_version (id, trigger_id, kind, source, spec, from_at, until_at, next_at, due_at)
        VALUES ('%s', '%s', '%s', %s, '%s', %s, %s, %s, %s)\
        """
            .formatted(
                id,
                trigger,
                kind,
                timed ? "NULL" : "'up'",
                SPEC,
                ago(60),
                ended == null ? "NULL" : ago(ended),
                timed ? ago(-1) : "NULL",
                timed ? ago(-1) : "NULL"));
    return id;
  }

  void skipped(UUID trigger, int at, int decided, String reason) {
    row(trigger, at, decided, "skipped", "'" + reason + "'", "NULL");
  }

  void fired(UUID trigger, int at) {
    row(trigger, at, at, "fired", "NULL", "'" + rows.ids().next() + "'");
  }

  private void row(UUID trigger, int at, int decided, String outcome, String reason, String run) {
    rows.run(
        """
        INSERT INTO fire (trigger_id, at, due_at, outcome, reason, run_id, decided_at)
        VALUES ('%s', %s, %s, '%s', %s, %s, %s)\
        """
            .formatted(trigger, ago(at), ago(at), outcome, reason, run, ago(decided)));
  }

  /** A time that is the same in every statement. */
  static String ago(int minutes) {
    return "(TIMESTAMPTZ '2026-11-18T12:00:00Z' - interval '%d min')".formatted(minutes);
  }

  /** One value of the live version of a trigger, times as minutes before noon. */
  String live(UUID trigger, String expression) {
    return rows.text(
        "SELECT coalesce((%s)::text, '') FROM trigger_version WHERE trigger_id = '%s' AND until_at IS NULL"
            .formatted(expression, trigger));
  }
}
