package dev.belay.engine.statement;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.Limits.OfTenant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the leader writes for limits beside its claims. */
public interface LimitStatements {

  /**
   * A wish for tokens of a rate limit.
   *
   * @param size of the bucket
   * @param perSecond tokens that flow into it
   * @param held tokens that the leader withdrew before and that are not spent for sure: they are
   *     part of the bucket
   * @param returned tokens that it withdrew before and does not need
   */
  record Withdrawal(
      OfTenant key, int size, double perSecond, int held, int returned, int wanted, Hold hold) {}

  /**
   * How long the tokens of the last withdrawal were held.
   *
   * @param since the last withdrawal, in seconds; negative when an earlier leader made it
   * @param heldFor from that withdrawal on
   */
  record Hold(double since, double heldFor) {
    public static final Hold UNKNOWN = new Hold(-1, 0);
  }

  /**
   * @param left what the bucket has after that
   */
  record Granted(OfTenant key, int tokens, double left) {}

  /** Fills the buckets by the database's clock, and takes whole tokens. Each key once. */
  List<Granted> withdraw(List<Withdrawal> wanted);

  /**
   * A task queue whose concurrency key may have no place left.
   *
   * @param limit of the task queue
   * @param holders task queues whose tasks hold the key
   */
  record FullKey(QueueId queue, int limit, Set<QueueId> holders) {
    public FullKey {
      holders = Set.copyOf(holders);
    }
  }

  /**
   * @param full those that really have no place left
   */
  record CancelledNew(Set<QueueId> full, List<Cancelled> tasks) {}

  record Cancelled(TaskId task, @Nullable RunId run) {}

  /**
   * Ends tasks that wait in these task queues as CANCELLED, marks their runs, and writes the
   * history, where the key has no place left.
   */
  CancelledNew cancelNew(List<FullKey> keys, int max, String reason, String actor);

  /**
   * The oldest attempts that must end so that the tasks which wait in these task queues find a
   * place, without those that were asked before. By task. Takes no lock.
   */
  List<AttemptKey> findOldestHolders(List<FullKey> keys, int max);
}
