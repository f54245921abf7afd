package dev.belay.simulation;

import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.simulation.Intake.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * People limit tasks by keys and rates, and lower, raise and remove the limits of pools, of the
 * tenant and of workflows while tasks wait.
 */
final class Limiting {
  private static final double HAS_KEYS = 0.6;
  private static final double LIMITS_WORKFLOW = 0.5;
  private static final Duration CHANGES_EVERY = Duration.ofSeconds(40);
  private static final int SLOTS_MAX = 4;
  private static final int TASKS_MAX = 3;
  private static final double REMOVES = 0.3;

  /** A key has one rule and one limit, so that any excess is one. */
  static final Map<String, Concurrency> KEYS =
      Map.of(
          "alone", new Concurrency("alone", 1, OnConflict.QUEUE),
          "pair", new Concurrency("pair", 2, OnConflict.QUEUE),
          "first", new Concurrency("first", 1, OnConflict.CANCEL_NEW),
          "last", new Concurrency("last", 1, OnConflict.CANCEL_RUNNING));

  static final Map<String, RateLimit> RATES =
      Map.of(
          "slow", new RateLimit("slow", 1, Duration.ofSeconds(4)),
          "burst", new RateLimit("burst", 3, Duration.ofSeconds(20)));

  private static final List<String> KEY_NAMES = KEYS.keySet().stream().sorted().toList();
  private static final List<String> RATE_NAMES = RATES.keySet().stream().sorted().toList();

  /** Sends a request after a while. */
  interface Requests {
    void send(Duration after, String what, Consumer<Api> request);
  }

  private final World world;
  private final Requests requests;

  Limiting(World world, Requests requests) {
    this.world = world;
    this.requests = requests;
  }

  /** Those of a new task. */
  Keys keys() {
    if (!world.scenario.hasLimits() || !world.chance.happens(HAS_KEYS)) {
      return Keys.NONE;
    }
    Concurrency key = world.chance.happens(0.7) ? KEYS.get(world.chance.oneOf(KEY_NAMES)) : null;
    RateLimit rate =
        key == null || world.chance.happens(0.4) ? RATES.get(world.chance.oneOf(RATE_NAMES)) : null;
    return new Keys(key, rate);
  }

  /** The next version of a workflow, perhaps with another limit. */
  WorkflowSpec limited(WorkflowSpec spec) {
    if (!world.scenario.hasLimits()) {
      return spec;
    }
    Integer maxTasks =
        world.chance.happens(LIMITS_WORKFLOW) ? world.chance.between(1, TASKS_MAX) : null;
    RunLimits run = spec.run();
    return new WorkflowSpec(
        spec.tenant(),
        spec.name(),
        spec.description(),
        spec.params(),
        spec.triggers(),
        new RunLimits(
            run.maxActive(),
            maxTasks,
            run.overlap(),
            run.timeout(),
            run.deadline(),
            run.expectBy()),
        spec.tasks());
  }

  void begin(Duration within) {
    if (world.scenario.hasLimits()) {
      for (Duration at = world.chance.about(CHANGES_EVERY);
          at.compareTo(within) < 0;
          at = at.plus(world.chance.about(CHANGES_EVERY))) {
        change(at);
      }
    }
  }

  private void change(Duration at) {
    if (world.chance.happens(0.5)) {
      String pool = world.chance.oneOf(List.of("default", "other"));
      Integer slots = some(1, SLOTS_MAX);
      limitPool(at, pool, slots);
    } else {
      limitTenant(at, some(0, SLOTS_MAX));
    }
  }

  private @Nullable Integer some(int least, int most) {
    return world.chance.happens(REMOVES) ? null : world.chance.between(least, most);
  }

  private void limitPool(Duration at, String pool, @Nullable Integer slots) {
    requests.send(
        at, "limit pool " + pool + " to " + slots, intake -> intake.limitPool(pool, slots));
  }

  private void limitTenant(Duration at, @Nullable Integer running) {
    requests.send(at, "limit tenant to " + running, intake -> intake.limitTenant(running));
  }

  /** What nobody may run would never end. */
  void end() {
    if (world.scenario.hasLimits()) {
      limitPool(Duration.ZERO, "default", null);
      limitPool(Duration.ZERO, "other", 1);
      limitTenant(Duration.ZERO, null);
    }
  }
}
