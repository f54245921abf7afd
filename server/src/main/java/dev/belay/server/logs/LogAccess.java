package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.store.log.LogOwners;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which logs a worker may write, and how much of each. It queries the database once per
 * dispatch, because a dispatch never changes its worker. It does not cache unknown dispatches.
 */
public final class LogAccess {

  private static final Logger log = LoggerFactory.getLogger(LogAccess.class);

  /** The claim of so young an id may not be visible in the database yet. */
  private static final Duration YOUNG = Duration.ofSeconds(10);

  private final BiFunction<TaskId, DispatchId, Optional<LogOwners.Owner>> owners;
  private final LogStore store;
  private final long taskMaxBytes;
  private final InstantSource clock;
  private final Map<DispatchId, Owned> known;

  private record Owned(WorkerId worker, long allowedBytes) {}

  /** The answer to a worker about one log. */
  public sealed interface Answer {}

  /** The worker may write this many bytes in total. */
  public record Granted(long allowedBytes) implements Answer {}

  public record Denied(LogRefusal refusal) implements Answer {}

  /**
   * @param owners reads the database; throws when it is down
   * @param taskMaxBytes of all attempts of one task
   * @param dispatchesMax limit of cached answers
   */
  public LogAccess(
      BiFunction<TaskId, DispatchId, Optional<LogOwners.Owner>> owners,
      LogStore store,
      long taskMaxBytes,
      int dispatchesMax,
      InstantSource clock) {
    this.owners = owners;
    this.store = store;
    this.taskMaxBytes = taskMaxBytes;
    this.clock = clock;
    this.known =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<DispatchId, Owned> eldest) {
            return size() > dispatchesMax;
          }
        };
  }

  public Answer ask(WorkerId worker, TaskId task, DispatchId dispatch) {
    Optional<Owned> owned;
    try {
      owned = find(task, dispatch);
    } catch (RuntimeException away) {
      log.atDebug().setCause(away).log("the owner of a log cannot be read");
      return new Denied(LogRefusal.DATABASE_AWAY);
    }
    if (owned.isEmpty()) {
      boolean young = LogFiles.madeAt(dispatch).isAfter(clock.instant().minus(YOUNG));
      return new Denied(young ? LogRefusal.NOT_YET_KNOWN : LogRefusal.UNKNOWN_DISPATCH);
    }
    return owned.get().worker().equals(worker)
        ? new Granted(owned.get().allowedBytes())
        : new Denied(LogRefusal.OTHER_WORKER);
  }

  private Optional<Owned> find(TaskId task, DispatchId dispatch) {
    synchronized (known) {
      var owned = known.get(dispatch);
      if (owned != null) {
        return Optional.of(owned);
      }
    }
    var read = owners.apply(task, dispatch).map(this::owned);
    synchronized (known) {
      read.ifPresent(owned -> known.put(dispatch, owned));
    }
    return read;
  }

  /** Attempts of a task follow each other, so the others' logs are nearly always final. */
  private Owned owned(LogOwners.Owner owner) {
    long others = 0;
    for (var other : owner.others()) {
      try {
        others += store.length(other);
      } catch (IOException unreadable) {
        log.atDebug().setCause(unreadable).log("the length of a log cannot be read");
      }
    }
    return new Owned(owner.worker(), Math.max(0, taskMaxBytes - others));
  }
}
