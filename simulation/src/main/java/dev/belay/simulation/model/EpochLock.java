package dev.belay.simulation.model;

import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.simulation.guard.RaceGuard;

/**
 * Keeps deposed leaders from writing. Each leader transaction takes the epoch lock shared and then,
 * in a second statement with a newer snapshot, compares the epoch.
 */
final class EpochLock {

  private EpochLock() {}

  /** The first statements of a leader's transaction. */
  static void enter(Tables tables, Transaction transaction, Epoch epoch) {
    lock(tables, transaction, epoch);
    boolean leads = transaction.statement(statement -> isInForce(tables, statement, epoch));
    if (!leads) {
      throw new Deposed(epoch);
    }
  }

  /** For a transaction whose next statement compares the epoch itself. */
  static void lock(Tables tables, Transaction transaction, Epoch epoch) {
    transaction.<Boolean>statement(
        statement -> {
          statement.advise(tables.epochLock, "the epoch lock", false);
          return true;
        });
    transaction.onCommit(() -> note(tables, epoch));
  }

  static boolean isInForce(Tables tables, ModelStatement statement, Epoch epoch) {
    long inForce = statement.read(tables.leadership, true).orElseThrow().epoch;
    return tables.guards.pass(RaceGuard.EPOCH, inForce == epoch.value());
  }

  /** After a statement under the epoch lock that wrote nothing: checks whether another leads. */
  static void check(Tables tables, Epoch epoch) {
    boolean leads = tables.database.statement(statement -> isInForce(tables, statement, epoch));
    if (!leads) {
      throw new Deposed(epoch);
    }
  }

  /** Independent of guards: records a write that a missing guard let through. */
  private static void note(Tables tables, Epoch written) {
    long inForce = tables.leadership.committed(true).orElseThrow().epoch;
    if (inForce != written.value()) {
      tables.writesOfDeposed.add(
          "epoch " + written.value() + " wrote when " + inForce + " was in force");
    }
  }
}
