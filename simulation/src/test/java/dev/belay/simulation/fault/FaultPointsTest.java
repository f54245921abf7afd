package dev.belay.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.plan.Planner;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.admit.Promotion;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.dispatch.Conflicts;
import dev.belay.engine.dispatch.DispatchPhase;
import dev.belay.engine.dispatch.DispatchPool;
import dev.belay.engine.dispatch.RateTokens;
import dev.belay.engine.dispatch.Roster;
import dev.belay.engine.dispatch.Rules;
import dev.belay.engine.dispatch.Undeclared;
import dev.belay.engine.dispatch.WaitingQueues;
import dev.belay.engine.plan.PlanPhase;
import dev.belay.engine.plan.PlanWriter;
import dev.belay.engine.plan.Workflows;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.statement.Transactions;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.store.Database;
import dev.belay.store.dispatch.PostgresDispatch;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.intake.NewRun;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.RunIntake;
import dev.belay.store.intake.Triggered;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.plan.PostgresPlans;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.transaction.PostgresTransactions;
import dev.belay.workflow.CelExpressions;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * The engine's work done by a process that dies between any two statements of plan, claim, result
 * and finalize, again and again. The worker lives on and keeps every outcome until it is settled.
 */
class FaultPointsTest {

  /** The proof of crash points wants more. */
  private static final int CRASHES = Integer.getInteger("belay.crashes", 250);

  /** The longest way between two crashes of one scenario; a whole scenario has more points. */
  private static final int DISTANCE_MAX = 60;

  private static final int ROUNDS_MAX = 1_000;
  private static final LiveStore STORE = new LiveStore();
  private static final CelExpressions EXPRESSIONS = new CelExpressions();
  private static final String WORKFLOW =
      """
      name: crashing
      defaults: {retry: {max: 1, backoff: {initial: 1ms, max: 1ms}}}
      tasks:
        - {name: a, command: ["true"]}
        - {name: fails-once, command: ["true"], depends_on: [a]}
        - {name: c, command: ["true"], depends_on: [a]}
        - {name: d, command: ["true"], depends_on: [fails-once, c]}
        - {name: skipped, command: ["true"], depends_on: [a], trigger_rule: all_failed}
      """;

  private final Random random = new Random(42);
  private final Faults faults = faults();
  private final Ids ids = STORE.ids();
  private final Peer peer = STORE.newWorker();
  private final Worker worker = new Worker();
  private int crashes;

  /** Stack traces of crashes that were made on purpose tell nobody anything. */
  private static final ch.qos.logback.classic.Logger LOG =
      (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.belay.engine");

  @BeforeAll
  static void quiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void close() {
    LOG.setLevel(null);
    STORE.close();
  }

  @Test
  void whatever_point_the_process_dies_at_every_task_reaches_one_true_end() {
    register();
    long point = 1;
    while (scenario(point)) {
      point++;
    }
    assertThat(point).as("points of one scenario, each crashed at").isGreaterThan(50);
    while (crashes < CRASHES) {
      scenario(-1);
    }
  }

  /**
   * A run from its trigger to its end.
   *
   * @param point where it crashes, once; -1: again and again, anywhere
   * @return false when it ended before that point
   */
  private boolean scenario(long point) {
    RunId run = trigger();
    int before = crashes;
    var server = new Server();
    faults.arm(point > 0 ? point : distance());
    for (int round = 0; ; round++) {
      assertThat(round).as("rounds of run %s", run).isLessThan(ROUNDS_MAX);
      try {
        server.step();
      } catch (RuntimeException died) {
        assertThat(faults.isDead()).as("only crashes fail: %s", died).isTrue();
      }
      if (faults.isDead()) {
        crashes++;
        faults.revive();
        server = new Server();
        if (point < 0) {
          faults.arm(distance());
        }
        continue;
      }
      if (isOver(run)) {
        faults.disarm();
        check(run);
        return crashes > before;
      }
    }
  }

  private int distance() {
    return 1 + random.nextInt(DISTANCE_MAX);
  }

  /** All that a process has; a new one begins with a new epoch and nothing else. */
  private final class Server {
    private final Jdbi jdbi = Database.jdbi(faults);
    private final Epoch epoch = lead();
    private final PostgresDispatch dispatches =
        new PostgresDispatch(jdbi, Duration.ofHours(1), Meters.NONE);
    private final Transactions transactions = new PostgresTransactions(jdbi);
    private final ResultWriter results =
        new ResultWriter(
            transactions, new RetryDecision(random), Promises.DEFAULT, new DeadLetters(ids, false));
    private final PlanPhase plan = plan();
    private final QueueCatalog queues =
        new QueueCatalog(new PostgresQueues(jdbi), System::nanoTime);
    private final WaitingQueues waiting =
        new WaitingQueues(dispatches, EngineSettings.of(1, 1), System::nanoTime);
    private final Roster roster =
        new Roster(dispatches, queues, waiting, EngineSettings.of(1, 1), System::nanoTime);
    private final DispatchPhase dispatch =
        new DispatchPhase(
            new DispatchPhase.Parts(
                dispatches,
                queues,
                waiting,
                roster,
                new Rules(new Undeclared(), EngineSettings.of(1, 1), System::nanoTime),
                new RateTokens(transactions, System::nanoTime),
                new Conflicts(
                    new Conflicts.Parts(transactions, waiting, roster, Hints.NONE, Meters.NONE),
                    System::nanoTime),
                ids,
                (to, claimed) -> worker.receive(claimed),
                STORE.rows().hints()),
            DispatchPhase.Choosing.DEFAULT,
            new DispatchPool(Runnable::run, 1, 0, () -> {}),
            EngineSettings.of(1, 1),
            () -> Instant.EPOCH,
            DispatchPhase.Drifts.NONE);

    private PlanPhase plan() {
      var plans = new PostgresPlans(jdbi);
      return new PlanPhase(
          plans,
          new PlanWriter(
              transactions,
              new QueueCatalog(new PostgresQueues(jdbi), System::nanoTime),
              Meters.NONE),
          new Workflows(plans, SpecCodec::fromJson, 10),
          new Planner(EXPRESSIONS),
          ids,
          STORE.rows().hints());
    }

    void step() {
      roster.doubt();
      waiting.hint(List.of());
      plan.runOnce(epoch, 100);
      new Promotion(transactions, dispatches, Meters.NONE).promote(epoch, 100);
      dispatch.runOnce(epoch);
      worker.receive(STORE.workers.readMailbox(peer, List.of()).orElseThrow());
      for (List<WorkerEvent> events : worker.events()) {
        worker.settled(results.write(events).settlements());
      }
    }
  }

  private static Epoch lead() {
    STORE.rows().run("UPDATE leadership SET epoch = epoch + 1");
    return STORE.epoch();
  }

  /** Executes each dispatch once and repeats what was not settled. */
  private final class Worker {
    private final Map<DispatchId, Integer> unsettled = new LinkedHashMap<>();
    private final Map<DispatchId, TaskId> executed = new HashMap<>();

    boolean receive(List<MailboxEntry> entries) {
      for (MailboxEntry entry : entries) {
        if (executed.putIfAbsent(entry.id(), entry.task()) == null) {
          boolean fails =
              entry
                  .assignment()
                  .filter(work -> work.name().equals("fails-once") && work.fencingToken() == 1)
                  .isPresent();
          unsettled.put(entry.id(), fails ? 1 : 0);
        }
      }
      return true;
    }

    /** Starts and ends together or apart, as the network brings them. */
    List<List<WorkerEvent>> events() {
      List<WorkerEvent> starts = new ArrayList<>();
      List<WorkerEvent> ends = new ArrayList<>();
      unsettled.forEach(
          (dispatch, code) -> {
            var task = Objects.requireNonNull(executed.get(dispatch));
            starts.add(new WorkerEvent.Started(peer.worker(), peer.session(), dispatch, task, 1));
            ends.add(LiveStore.exited(peer, dispatch, task, code));
          });
      if (starts.isEmpty()) {
        return List.of();
      }
      if (random.nextBoolean()) {
        return List.of(starts, ends);
      }
      starts.addAll(ends);
      return List.of(starts);
    }

    void settled(List<Settlement> settlements) {
      for (Settlement settlement : settlements) {
        if (settlement.event() instanceof WorkerEvent.Ended finished) {
          Integer code = unsettled.remove(finished.dispatch());
          // A failure that was written before the crash may have had its next attempt since.
          assertThat(code == null || code != 0 || settlement.answer() != Settlement.Answer.VOID)
              .as("answer to the success of %s", finished.dispatch())
              .isTrue();
        }
      }
    }

    long executions(String task) {
      return executed.values().stream().filter(id -> id.toString().equals(task)).count();
    }
  }

  private void check(RunId run) {
    assertThat(STORE.rows().text("SELECT state FROM run WHERE id = '" + run + "'"))
        .isEqualTo("SUCCEEDED");
    assertThat(
            STORE
                .rows()
                .text(
                    "SELECT string_agg(to_state::text, ' ' ORDER BY id) FROM run_history WHERE"
                        + " run_id = '"
                        + run
                        + "'"))
        .isEqualTo("QUEUED RUNNING SUCCEEDED");
    String tasks =
        STORE
            .rows()
            .text(
                "SELECT id || ' ' || name || ' ' || state FROM task WHERE run_id = '"
                    + run
                    + "' ORDER BY name");
    for (String line : tasks.split("\n")) {
      String[] task = line.split(" ");
      checkTask(task[0], task[1], task[2]);
    }
    assertThat(tasks.lines()).hasSize(5);
  }

  private void checkTask(String id, String name, String state) {
    boolean skipped = name.equals("skipped");
    int runs = skipped ? 0 : name.equals("fails-once") ? 2 : 1;
    assertThat(state).as(name).isEqualTo(skipped ? "SKIPPED" : "SUCCEEDED");
    assertThat(worker.executions(id)).as("executions of %s %s", name, id).isEqualTo(runs);
    String path =
        STORE
            .rows()
            .text(
                "SELECT coalesce(from_state::text, '-') || ' ' || to_state FROM history WHERE"
                    + " task_id = '"
                    + id
                    + "' ORDER BY id");
    TaskState last = null;
    int ends = 0;
    int dispatched = 0;
    for (String step : path.split("\n")) {
      String[] states = step.split(" ");
      TaskState to = TaskState.valueOf(states[1]);
      assertThat(states[0]).as("%s: %s", name, path).isEqualTo(last == null ? "-" : last.name());
      assertThat(TaskTransitions.allows(last, to)).as("%s: %s", name, path).isTrue();
      ends += to.isTerminal() ? 1 : 0;
      dispatched += to == TaskState.DISPATCHED ? 1 : 0;
      last = to;
    }
    assertThat(ends).as("ends of %s: %s", name, path).isEqualTo(1);
    assertThat(dispatched).as("dispatches of %s: %s", name, path).isEqualTo(runs);
    assertThat(
            STORE
                .rows()
                .text(
                    "SELECT count(*) || ' ' || count(ended_at) FROM attempt WHERE task_id = '"
                        + id
                        + "'"))
        .as("attempts, and ended ones, of %s", name)
        .isEqualTo(runs + " " + runs);
  }

  private boolean isOver(RunId run) {
    return STORE
        .rows()
        .text("SELECT count(*) FROM run WHERE id = '" + run + "' AND ended_at IS NOT NULL")
        .equals("1");
  }

  private void register() {
    var spec = ((Parsed.Valid) WorkflowFile.parse("crashing", WORKFLOW)).spec();
    new WorkflowIntake(STORE.jdbi(), ids, Hints.NONE)
        .register(
            new NewWorkflow("default", "crashing", 5, SpecCodec.toJson(spec), WORKFLOW), "me");
  }

  private RunId trigger() {
    var wanted =
        new NewRun("default", "crashing", null, null, facts -> new NewRun.Params.Resolved("{}"));
    var triggered = new RunIntake(STORE.jdbi(), ids, STORE.rows().hints()).trigger(wanted, "me");
    return new RunId(((Triggered.Accepted) triggered).run());
  }

  private static Faults faults() {
    var pool = STORE.rows().pool();
    return new Faults(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
  }
}
