package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Choice.Refused;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which worker a task would get, and why.
 *
 * @param refused why none does; null when one does
 * @param workers eligible ones first, best first; the rest in the order of their gates
 * @param excluded how many workers each gate excludes, also those that are not listed
 * @param slots of the workers that take work and meet the needs of the task
 */
public record Explanation(
    @Nullable Refused refused,
    List<Considered> workers,
    int eligible,
    Map<WorkerGate, Integer> excluded,
    Slots slots) {

  public Explanation {
    workers = List.copyOf(workers);
    excluded = Collections.unmodifiableMap(new EnumMap<>(excluded));
  }

  /**
   * A worker and what became of it.
   *
   * @param pool in which it would run the task; null when it is in none of its pools
   */
  public record Considered(WorkerId id, String name, @Nullable String pool, Verdict verdict) {}

  public sealed interface Verdict {}

  /**
   * @param score its load as a share of its slots; cpu and gpu count as up to one task each
   * @param chosen it is the one that gets the task
   */
  public record Eligible(double score, boolean lastChoice, boolean chosen) implements Verdict {}

  public record Excluded(WorkerGate gate, String detail) implements Verdict {}

  public record Slots(int taken, int total) {}
}
