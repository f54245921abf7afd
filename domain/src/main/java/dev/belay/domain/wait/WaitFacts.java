package dev.belay.domain.wait;

import dev.belay.domain.routing.Routing;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts that all waits share at one moment.
 *
 * @param workers those that the dispatcher would give work to, as it reads them
 * @param absent known workers that get no work
 */
public record WaitFacts(
    Instant now, Leader leader, List<Routing.Worker> workers, List<Absent> absent) {

  public WaitFacts {
    workers = List.copyOf(workers);
    absent = List.copyOf(absent);
  }

  /**
   * The current leader.
   *
   * @param live its last heartbeat is recent enough
   * @param seenAt null when no replica ever led, or its record is deleted
   */
  public record Leader(@Nullable String name, boolean live, @Nullable Instant seenAt) {}

  /** A known worker that gets no work. */
  public record Absent(String name, Set<String> pools, Why why) {
    public Absent {
      pools = Set.copyOf(pools);
    }
  }

  public enum Why {
    TROUBLED("in trouble"),
    /** Tasks failed fast and often there; a person can trust it again. */
    SET_ASIDE("set aside, see belay workers trust"),
    DRAINING("draining"),
    SILENT("silent"),
    DISCONNECTED("not connected");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    boolean isConnected() {
      return this == TROUBLED || this == SET_ASIDE || this == DRAINING;
    }

    String words() {
      return words;
    }
  }
}
