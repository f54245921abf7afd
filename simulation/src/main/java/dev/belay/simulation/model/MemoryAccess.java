package dev.belay.simulation.model;

import dev.belay.domain.id.WorkerId;

/** Which workers may join, in memory. */
final class MemoryAccess {

  private final Tables tables;

  MemoryAccess(Tables tables) {
    this.tables = tables;
  }

  /** steer/revoke_key and steer/cut_worker; here every worker has a key. */
  boolean revoke(WorkerId worker) {
    return tables.database.statement(
        statement -> {
          boolean known =
              statement
                  .update(tables.workerKey, worker, any -> true, key -> key.revoked = true)
                  .isPresent();
          statement.delete(tables.worker, worker);
          return known;
        });
  }

  /** steer/forget_key. */
  boolean allow(WorkerId worker) {
    return tables.database.statement(statement -> statement.delete(tables.workerKey, worker));
  }
}
