package dev.belay.engine.port;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all tasks and runs, each once. The changes of one task or run come in the order of
 * their commits. The feed has the states that were committed: steps that one transaction writes
 * together (a start with its end) are one event. Any replica reads the same feed, so a cursor is
 * valid at every replica. Thread-safe.
 */
public interface ChangeFeed {

  /**
   * The next events. Fewer than {@code limit} do not mean that the feed ends here; none do.
   *
   * @param after null starts at the oldest event that the feed keeps
   */
  Answer read(@Nullable Cursor after, int limit);

  /** The end of the feed as of now: all events before it are readable. */
  Cursor latest();

  /** How long the last read was held back by a transaction that still ran; zero when none did. */
  Duration heldBack();

  sealed interface Answer permits Events, Reset {
    /** Where the next read continues. */
    Cursor next();
  }

  record Events(List<Event> events, Cursor next) implements Answer {
    public Events {
      events = List.copyOf(events);
    }
  }

  /**
   * The feed cannot continue at the cursor: retention deleted events behind it, or the database is
   * older than the cursor. Read the current states, then continue at {@code next}.
   */
  record Reset(Cursor next) implements Answer {}

  sealed interface Event permits TaskEvent, RunEvent {
    /** The position right after this event. */
    Cursor id();

    Instant at();
  }

  /**
   * @param run null for a task without a run
   * @param workflow of the run; null without a run
   */
  record TaskEvent(
      Cursor id,
      Instant at,
      TaskId task,
      @Nullable RunId run,
      @Nullable String workflow,
      TaskState state)
      implements Event {}

  /**
   * @param workflow null when the run was deleted since
   */
  record RunEvent(Cursor id, Instant at, RunId run, @Nullable String workflow, RunState state)
      implements Event {}

  /**
   * A position in the feed: after an event, or before the first event of a batch.
   *
   * @param batch the row of the feed
   * @param index of the event in its batch, from 1; 0 is before the first
   */
  record Cursor(long batch, int index) implements Comparable<Cursor> {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})-([0-9]{1,9})");
    private static final Comparator<Cursor> ORDER =
        Comparator.comparingLong(Cursor::batch).thenComparingInt(Cursor::index);

    /** The position before all events of later batches. */
    public static Cursor behind(long batch) {
      return new Cursor(batch + 1, 0);
    }

    /** Empty when the text is no cursor. */
    public static Optional<Cursor> parse(String text) {
      var found = TEXT.matcher(text);
      return found.matches()
          ? Optional.of(
              new Cursor(Long.parseLong(found.group(1)), Integer.parseInt(found.group(2))))
          : Optional.empty();
    }

    @Override
    public int compareTo(Cursor other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return batch + "-" + index;
    }
  }
}
