package dev.belay.engine.statement;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.bulk.BulkRefusal;
import dev.belay.domain.bulk.BulkState;
import dev.belay.domain.id.BulkId;
import dev.belay.domain.id.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes of bulk operations. An operation is locked before its items. */
public interface BulkStatements {

  /**
   * What to do to which items.
   *
   * @param priority of {@link BulkKind#PRIORITY}, else null
   * @param note why, for the history; empty means none
   * @param requestedAt items that were created or ended later do not match
   * @param upTo items with a higher id were not there at the request
   */
  record Order(
      BulkKind kind,
      BulkFilter filter,
      @Nullable Integer priority,
      String note,
      String actor,
      Instant requestedAt,
      UUID upTo) {}

  /** A RUNNING operation. */
  sealed interface Running {
    BulkId id();
  }

  /**
   * @param rate how many items may change in a second; null means as many as possible
   * @param cursor the last item that was dealt with; null before the first
   * @param pause how long the rate makes it wait
   */
  record Active(
      BulkId id, Order order, @Nullable Double rate, @Nullable UUID cursor, Duration pause)
      implements Running {}

  /** Another version of Belay wrote it. */
  record Unreadable(BulkId id, String why) implements Running {}

  /**
   * RUNNING operations, oldest first.
   *
   * @param after leaves this one and older ones out
   */
  List<Running> readRunning(@Nullable BulkId after, int max);

  /**
   * A task or run.
   *
   * @param run the run of a task that has one; null for a run
   */
  record Item(UUID id, @Nullable RunId run) {}

  /**
   * A part of the items.
   *
   * @param items those that match, in the order of their ids
   * @param last the last one that was looked at; null when none is left
   */
  record Looked(List<Item> items, @Nullable UUID last) {
    public Looked {
      items = List.copyOf(items);
    }
  }

  /** Looks at the next {@code max} items in the states of the filter. */
  Looked look(Order order, @Nullable UUID after, int max);

  /** Locks a RUNNING operation; false when it has ended, or its cursor is elsewhere. */
  boolean lock(BulkId id, @Nullable UUID cursor);

  /** Locks these items in the order of their ids, and returns those that still match. */
  Set<UUID> lockMatching(Order order, List<UUID> items);

  /** An item that was left as it was. */
  record Refused(UUID item, BulkRefusal refusal, String why) {}

  /**
   * What became of some items.
   *
   * @param cursor the last of them
   */
  record Progress(UUID cursor, int changed, List<Refused> refused) {
    public Progress {
      refused = List.copyOf(refused);
    }

    public Map<BulkRefusal, Integer> counts() {
      var counts = new EnumMap<BulkRefusal, Integer>(BulkRefusal.class);
      refused.forEach(one -> counts.merge(one.refusal(), 1, Integer::sum));
      return counts;
    }
  }

  /**
   * Moves the cursor of a RUNNING operation.
   *
   * @param from the cursor as it was read
   * @return false when it has ended, or its cursor is elsewhere
   */
  boolean advance(BulkId id, @Nullable UUID from, Progress progress);

  /** RUNNING to DONE; false when it has ended, or its cursor is elsewhere. */
  boolean complete(BulkId id, @Nullable UUID cursor);

  /** RUNNING to CANCELLED. */
  boolean cancel(BulkId id, String reason);

  /** RUNNING to FAILED. */
  boolean fail(BulkId id, String reason);

  Optional<BulkState> findState(BulkId id);
}
