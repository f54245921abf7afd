package dev.belay.domain.routing;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds workers on which tasks fail fast and often, while others run the same work well. Such a
 * worker is always the least loaded one, so it would get one task after the other and fail them
 * all.
 */
public final class FailingWorkers {

  /** Reports of workers arrive at different times. */
  private static final Duration MARGIN = Duration.ofMillis(100);

  /**
   * @param fast a failure within this time counts
   * @param failuresMin fewer failures say nothing
   * @param shareMin of the worker's attempts that failed fast
   */
  public record Settings(Duration fast, int failuresMin, double shareMin) {
    public static final Settings DEFAULT = new Settings(Duration.ofSeconds(10), 10, 0.8);

    public Settings {
      if (!fast.isPositive() || failuresMin < 1 || shareMin <= 0 || shareMin > 1) {
        throw new IllegalArgumentException("need fast > 0, failuresMin >= 1 and 0 < shareMin <= 1");
      }
    }
  }

  /**
   * An attempt that began lately. Leave out attempts whose end says nothing about the worker: those
   * that were aborted, and those of before a person trusted the worker again.
   *
   * @param queue identifies its task queue: the work that is comparable
   */
  public record Sample(
      WorkerId worker, TaskId task, long queue, State state, Instant startedAt, Duration ran) {}

  public enum State {
    RUNNING,
    FAILED,
    /** It ended, and did not fail. */
    WELL
  }

  /**
   * A worker to set aside.
   *
   * @param failures its attempts that failed fast
   * @param attempts all that are known
   * @param others workers that run the same work well
   */
  public record Finding(WorkerId worker, int failures, int attempts, int others) {}

  private FailingWorkers() {}

  /** The workers to set aside, in the order of their ids. */
  public static List<Finding> find(Collection<Sample> recent, Settings settings) {
    Map<WorkerId, List<Sample>> byWorker = new TreeMap<>();
    recent.forEach(
        sample -> byWorker.computeIfAbsent(sample.worker(), any -> new ArrayList<>()).add(sample));
    List<Finding> findings = new ArrayList<>();
    byWorker.keySet().forEach(worker -> judge(worker, byWorker, settings).ifPresent(findings::add));
    return findings;
  }

  private static Optional<Finding> judge(
      WorkerId worker, Map<WorkerId, List<Sample>> byWorker, Settings settings) {
    List<Sample> own = byWorker.getOrDefault(worker, List.of());
    List<Sample> failures = own.stream().filter(one -> failedFast(one, settings)).toList();
    if (failures.size() < settings.failuresMin()) {
      return Optional.empty();
    }
    Comparison comparison = Comparison.with(failures, settings);
    int attempts = failures.size() + (int) own.stream().filter(comparison::isWell).count();
    if (failures.size() < settings.shareMin() * attempts) {
      return Optional.empty();
    }
    int well = 0;
    int failing = 0;
    List<Sample> onWellOnes = new ArrayList<>();
    for (Map.Entry<WorkerId, List<Sample>> other : byWorker.entrySet()) {
      if (!other.getKey().equals(worker)) {
        List<Sample> comparable =
            other.getValue().stream().filter(comparison::isComparable).toList();
        int balance = comparison.balance(comparable);
        well += balance > 0 ? 1 : 0;
        failing += balance < 0 ? 1 : 0;
        onWellOnes.addAll(balance > 0 ? comparable : List.of());
      }
    }
    return well <= failing || comparison.sameTasksFail(onWellOnes)
        ? Optional.empty()
        : Optional.of(new Finding(worker, failures.size(), attempts, well));
  }

  private static boolean failedFast(Sample sample, Settings settings) {
    return sample.state() == State.FAILED && sample.ran().compareTo(settings.fast()) <= 0;
  }

  /**
   * Compares attempts with the failures of a worker.
   *
   * @param tasks that failed
   * @param queues of these tasks
   * @param since attempts that began before say nothing about them
   * @param survived an attempt that runs for longer did not fail as they did
   */
  private record Comparison(
      Set<TaskId> tasks, Set<Long> queues, Instant since, Duration survived, Settings settings) {

    static Comparison with(List<Sample> failures, Settings settings) {
      Set<TaskId> tasks = new HashSet<>();
      Set<Long> queues = new HashSet<>();
      Instant since = failures.getFirst().startedAt();
      Duration slowest = Duration.ZERO;
      for (Sample failure : failures) {
        tasks.add(failure.task());
        queues.add(failure.queue());
        since = failure.startedAt().isBefore(since) ? failure.startedAt() : since;
        slowest = failure.ran().compareTo(slowest) > 0 ? failure.ran() : slowest;
      }
      return new Comparison(
          tasks,
          queues,
          since.minus(settings.fast()),
          slowest.multipliedBy(2).plus(MARGIN),
          settings);
    }

    boolean isComparable(Sample sample) {
      return queues.contains(sample.queue()) && !sample.startedAt().isBefore(since);
    }

    boolean isWell(Sample sample) {
      return switch (sample.state()) {
        case WELL -> true;
        case FAILED -> !failedFast(sample, settings);
        case RUNNING -> sample.ran().compareTo(survived) > 0;
      };
    }

    /** Attempts that are well, less those that failed fast. */
    int balance(List<Sample> samples) {
      int balance = 0;
      for (Sample sample : samples) {
        balance += isWell(sample) ? 1 : 0;
        balance -= failedFast(sample, settings) ? 1 : 0;
      }
      return balance;
    }

    /** Whether half of the tasks that were also tried here never went well. */
    boolean sameTasksFail(List<Sample> samples) {
      Map<TaskId, Boolean> wentWell = new HashMap<>();
      for (Sample sample : samples) {
        if (tasks.contains(sample.task()) && (isWell(sample) || failedFast(sample, settings))) {
          wentWell.merge(sample.task(), isWell(sample), Boolean::logicalOr);
        }
      }
      long failed = wentWell.values().stream().filter(well -> !well).count();
      return failed > 0 && 2 * failed >= wentWell.size();
    }
  }
}
