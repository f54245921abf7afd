package dev.belay.workflow;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.At;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerRule;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.domain.spec.WorkflowSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes random specs with all kinds of triggers, by seed. */
final class SpecMaker {

  private static final List<String> ZONES =
      List.of("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "America/New_York");
  private static final List<String> CRONS =
      List.of("0 2 * * *", "*/5 * * * * *", "0 0 L * FRI#2", "@hourly", "15 10 15W JAN-MAR MON");
  private static final List<Set<RunState>> ENDS =
      List.of(
          Set.of(RunState.SUCCEEDED),
          Set.of(RunState.FAILED, RunState.CANCELLED),
          Set.of(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED));

  private final Random random;

  SpecMaker(long seed) {
    this.random = new Random(seed);
  }

  WorkflowSpec workflow() {
    List<TriggerSpec> triggers = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      triggers.add(trigger("t" + i));
    }
    return new WorkflowSpec("default", "w", null, Map.of(), triggers, limits(), List.of(task()));
  }

  private TaskSpec task() {
    return new TaskSpec(
        "a",
        new Action.Script("x"),
        List.of(),
        TriggerRule.ALL_SUCCESS,
        null,
        Map.of(),
        RunPolicy.DEFAULT,
        TaskSpec.PRIORITY_DEFAULT,
        queue(),
        Map.of(),
        null);
  }

  private QueueSpec queue() {
    boolean topic = random.nextBoolean();
    return new QueueSpec(
        topic ? "etl.load" : null,
        topic && random.nextBoolean() ? null : random.nextBoolean() ? "default" : "big",
        new TreeSet<>(random.nextBoolean() ? List.of() : List.of("ssd", "gpu")),
        new Size(1 + random.nextInt(3), random.nextInt(2) << 30, random.nextInt(3)),
        random.nextBoolean()
            ? null
            : new KeyLimit(
                new Template("${{ params.day }}"), 1 + random.nextInt(9), one(OnConflict.values())),
        random.nextBoolean()
            ? null
            : new KeyRate(new Template("api"), 1 + random.nextInt(9), span()));
  }

  private RunLimits limits() {
    return new RunLimits(
        random.nextBoolean() ? null : 1 + random.nextInt(100),
        random.nextBoolean() ? null : 1 + random.nextInt(100),
        one(RunLimits.Overlap.values()),
        spanOrNull(),
        spanOrNull(),
        random.nextBoolean()
            ? null
            : new RunLimits.ExpectBy(
                LocalTime.of(random.nextInt(24), random.nextInt(60), random.nextInt(60)), zone()));
  }

  TriggerSpec trigger(String name) {
    return switch (random.nextInt(3)) {
      case 0 -> new TriggerSpec.Timed(name, timing(), missed(), params(false));
      case 1 ->
          new TriggerSpec.AfterWorkflow(
              name, "up", ENDS.get(random.nextInt(ENDS.size())), params(false));
      default ->
          new TriggerSpec.OnEvent(
              name,
              "e",
              random.nextBoolean() ? null : new Template("${{ event.n > 1 }}"),
              window(),
              params(true));
    };
  }

  private Timing timing() {
    return new Timing(
        recurrence(),
        zone(),
        new Dst(one(Dst.Gap.values()), one(Dst.Repeat.values())),
        timeOrNull(),
        timeOrNull(),
        random.nextBoolean() ? null : "holidays",
        random.nextBoolean() ? Duration.ZERO : span());
  }

  private Recurrence recurrence() {
    try {
      return switch (random.nextInt(3)) {
        case 0 -> Cron.parse(CRONS.get(random.nextInt(CRONS.size())));
        case 1 -> new Every(span(), random.nextBoolean() ? Instant.EPOCH : time());
        default -> new At(time());
      };
    } catch (Cron.BadCron e) {
      throw new AssertionError(e);
    }
  }

  private Missed missed() {
    return random.nextBoolean()
        ? Missed.DEFAULT
        : new Missed(one(Missed.Policy.values()), span(), 1 + random.nextInt(500), span());
  }

  private Window window() {
    return switch (random.nextInt(3)) {
      case 0 -> new Window.None();
      case 1 -> new Window.Batch(2 + random.nextInt(100), span());
      default -> new Window.Debounce(span(), span());
    };
  }

  private Map<String, Object> params(boolean templates) {
    Map<String, Object> params = new LinkedHashMap<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      params.put("p" + random.nextInt(20), value(templates));
    }
    return params;
  }

  private Object value(boolean templates) {
    return switch (random.nextInt(templates ? 6 : 5)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextDouble();
      case 2 -> random.nextBoolean();
      case 3 -> "text \n\u0001 \ud83d\ude00 " + random.nextInt();
      case 4 -> Map.of("z", List.of(1L, "a", Map.of("k", 2.5)));
      default -> new Template("${{ event.x }}-" + random.nextInt());
    };
  }

  private ZoneId zone() {
    return ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
  }

  private Duration span() {
    return Duration.ofMillis(1 + random.nextInt(1_000_000_000));
  }

  private @Nullable Duration spanOrNull() {
    return random.nextBoolean() ? null : span();
  }

  private Instant time() {
    return Instant.ofEpochSecond(
        random.nextInt(Integer.MAX_VALUE), 1_000L * random.nextInt(1_000_000));
  }

  private @Nullable Instant timeOrNull() {
    return random.nextBoolean() ? null : time();
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
