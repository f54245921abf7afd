package dev.belay.simulation.contract;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;

/**
 * What two writers meet at.
 *
 * @param lock how a third session of PostgreSQL holds both up there
 * @param bySecond only the second comes by there: it waits while the first does all it does
 */
record Contended(String lock, boolean bySecond) {

  private Contended(String lock) {
    this(lock, false);
  }

  Contended onlyBySecond() {
    return new Contended(lock, true);
  }

  static Contended task(TaskId task) {
    return row("task WHERE id = '" + task + "'");
  }

  static Contended worker(WorkerId worker) {
    return row("worker WHERE id = '" + worker + "'");
  }

  static Contended run(RunId run) {
    return row("run WHERE id = '" + run + "'");
  }

  static Contended workflows() {
    return row("workflow_control");
  }

  static Contended buckets() {
    return row("rate_bucket");
  }

  static Contended backfills() {
    return row("backfill");
  }

  static Contended triggers() {
    return row("trigger_version");
  }

  private static Contended row(String which) {
    return new Contended("SELECT 1 FROM " + which + " FOR UPDATE");
  }

  /** Until then no worker can be written; their keys can. */
  static Contended workers() {
    return new Contended("LOCK TABLE worker IN SHARE MODE");
  }

  static Contended keys() {
    return new Contended("LOCK TABLE idempotency IN SHARE MODE");
  }

  /** Of leaders; the number is the store's. */
  static Contended epochLock() {
    return new Contended("SELECT pg_advisory_xact_lock(" + 0x62656C61_00000002L + ")");
  }
}
