package dev.belay.store.read;

import dev.belay.domain.schedule.DayCalendar;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the applied system file describes.
 *
 * @param file null when none was applied
 */
public record SystemState(@Nullable File file, List<Pool> pools, List<DayCalendar> calendars) {

  public SystemState {
    pools = List.copyOf(pools);
    calendars = List.copyOf(calendars);
  }

  /** The system file as it was applied. */
  public record File(String source, Instant appliedAt, String appliedBy) {}

  /** A declared pool. */
  public record Pool(String name, @Nullable String description) {}

  /** A declared calendar, as it is stored. */
  public record StoredCalendar(String name, String spec) {}
}
