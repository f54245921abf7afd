package dev.belay.engine.schedule;

import dev.belay.domain.backfill.BackfillInstants;
import dev.belay.domain.backfill.BackfillStep;
import dev.belay.domain.backfill.BackfillStep.Decision;
import dev.belay.domain.backfill.Existing;
import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.statement.BackfillStatements;
import dev.belay.engine.statement.BackfillStatements.Fire;
import dev.belay.engine.statement.BackfillStatements.Running;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Advances backfills. Each round decides the next few instants of each RUNNING backfill, in one
 * short transaction for each: it moves the cursor from where it was read, and inserts the runs and
 * the decisions. A backfill that fails never stops the others.
 */
public final class BackfillPhase {

  private static final Logger log = LoggerFactory.getLogger(BackfillPhase.class);

  public static final String ACTOR = "backfill";
  public static final String ALERT = "backfill_failed";
  public static final String WORKFLOW_DELETED = "workflow deleted";

  /** Between two rounds, however often runs end: a round reads RUNNING backfills. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(10);

  private static final int REASON_CHARS_MAX = 500;

  private final Transactions transactions;
  private final RunParams params;
  private final Parts parts;
  private final Settings settings;
  private final Supplier<Optional<Epoch>> leadership;
  private final LongSupplier ticker;
  private volatile boolean active;
  private boolean led;

  /** The last one of those read, while there may be more. */
  private @Nullable BackfillId last;

  /** How many were read in this turn, and whether one of them has more to do at once. */
  private int seen;

  private boolean more;

  private long rounds;
  private long roundAt;

  /**
   * @param batch decides at most this many instants of a backfill in one transaction
   * @param read reads at most this many backfills at a time
   * @param poll looks this often without a hint
   */
  public record Settings(int batch, int read, Duration poll) {}

  /**
   * @param given reads the stored values for parameters
   */
  public record Parts(
      Function<BackfillStatements.Schedule, BackfillInstants> instants,
      Function<String, Map<String, Object>> given,
      Ids ids,
      Hints hints,
      BackfillMeters meters) {}

  /**
   * @param leadership the epoch, while this replica leads with trust
   * @param ticker monotonic nanoseconds
   */
  public BackfillPhase(
      Transactions transactions,
      RunParams params,
      Parts parts,
      Settings settings,
      Supplier<Optional<Epoch>> leadership,
      LongSupplier ticker) {
    this.transactions = transactions;
    this.params = params;
    this.parts = parts;
    this.settings = settings;
    this.leadership = leadership;
    this.ticker = ticker;
  }

  /** Whether an ended run may let a backfill continue: then wake its loop. Any thread. */
  public boolean isActive() {
    return active;
  }

  /**
   * @return how long to sleep
   */
  public Duration runOnce() {
    Optional<Epoch> epoch = leadership.get();
    if (epoch.isEmpty()) {
      rest();
      return settings.poll();
    }
    led = true;
    Duration since = Duration.ofNanos(ticker.getAsLong() - roundAt);
    if (rounds > 0 && since.compareTo(PAUSE_MIN) < 0) {
      return PAUSE_MIN.minus(since);
    }
    List<Running> running = read();
    try {
      for (Running backfill : running) {
        more |= isolated(epoch.get(), backfill);
      }
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.get().value()).log("backfills no more: deposed");
    }
    rounds++;
    roundAt = ticker.getAsLong();
    return last == null && !more ? settings.poll() : PAUSE_MIN;
  }

  /** In turn, so that old ones that cannot go on hide no newer one. */
  private List<Running> read() {
    if (last == null) {
      seen = 0;
      more = false;
    }
    List<Running> running =
        transactions.each(statements -> statements.backfills().readRunning(last, settings.read()));
    seen += running.size();
    active = seen > 0;
    if (running.size() == settings.read()) {
      last = running.getLast().id();
    } else {
      last = null;
      parts.meters().active(seen);
    }
    return running;
  }

  private void rest() {
    if (led) {
      parts.meters().active(0);
    }
    led = false;
    active = false;
    last = null;
  }

  /** Returns whether there is more to do at once. */
  private boolean isolated(Epoch epoch, Running backfill) {
    try {
      return advance(epoch, backfill);
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failed) {
      log.atError()
          .addKeyValue("backfill", backfill.id())
          .setCause(failed)
          .log("backfill not advanced now, others go on");
      if (failed instanceof RuntimeException refused && transactions.isRefused(refused)) {
        giveUp(epoch, backfill, "unwritable");
      }
      return false;
    }
  }

  private boolean advance(Epoch epoch, Running backfill) {
    Instant next = backfill.next();
    if (next == null) {
      if (backfill.open() == 0) {
        complete(epoch, backfill);
      }
      return false;
    }
    if (backfill.latest() == null) {
      giveUp(epoch, backfill, WORKFLOW_DELETED);
      return false;
    }
    int room = backfill.rules().concurrency() - backfill.open();
    if (room <= 0) {
      return false;
    }
    BackfillInstants instants;
    Map<String, Object> given;
    try {
      instants = parts.instants().apply(backfill.schedule());
      given = parts.given().apply(backfill.rules().params());
    } catch (IllegalArgumentException unreadable) {
      giveUp(epoch, backfill, "unreadable: " + unreadable.getMessage());
      return false;
    }
    BackfillStep step = decide(backfill, instants, next, room);
    return compute(epoch, backfill, next, step, given);
  }

  private BackfillStep decide(Running backfill, BackfillInstants instants, Instant next, int room) {
    Existing existing = backfill.rules().existing();
    List<Instant> candidates = instants.take(next, settings.batch() + 1);
    Map<Instant, Existing.Found> found =
        existing == Existing.ALL || candidates.isEmpty()
            ? Map.of()
            : transactions.each(
                statements ->
                    statements
                        .backfills()
                        .readExisting(backfill.tenant(), backfill.workflow(), candidates));
    return BackfillStep.decide(candidates, found, existing, room, settings.batch());
  }

  /** Parameters are computed before the transaction. */
  private boolean compute(
      Epoch epoch, Running backfill, Instant next, BackfillStep step, Map<String, Object> given) {
    List<Instant> fires = step.fires();
    List<RunParams.Request> requests = new ArrayList<>();
    for (Instant at : fires) {
      requests.add(request(backfill, at, given));
    }
    List<Answer> answers = requests.isEmpty() ? List.of() : params.resolve(requests);
    Map<Instant, NewRun> runs = new HashMap<>();
    BackfillStep ready = step;
    boolean cut = false;
    for (int i = 0; i < answers.size(); i++) {
      Instant at = fires.get(i);
      switch (answers.get(i)) {
        case Answer.Resolved(var json) -> runs.put(at, run(backfill, requests.get(i), json));
        case Answer.Refused(var why) -> {
          giveUp(epoch, backfill, "params: " + why + " (at " + at + ")");
          return false;
        }
        case Answer.Busy() -> {
          ready = cut ? ready : step.before(at);
          cut = true;
        }
      }
    }
    return write(epoch, backfill, next, ready, runs);
  }

  private boolean write(
      Epoch epoch, Running backfill, Instant next, BackfillStep step, Map<Instant, NewRun> runs) {
    if (step.decisions().isEmpty() && Objects.equals(step.next(), next)) {
      return false;
    }
    boolean written;
    try {
      written =
          transactions.asLeader(epoch, statements -> write(statements, backfill, next, step, runs));
    } catch (WorkflowDeleted deleted) {
      giveUp(epoch, backfill, WORKFLOW_DELETED);
      return false;
    }
    if (!written) {
      // Somebody changed the backfill, or the runs of its instants, since it was read.
      return true;
    }
    int created = step.fires().size();
    if (created > 0) {
      parts.meters().created(created);
      parts.hints().runChanged();
    }
    // Skipped instants leave room, and a backfill without runs is completed in the next round.
    return created < step.decisions().size() || step.next() == null;
  }

  /** Rolls the transaction back. */
  private static final class WorkflowDeleted extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Under the lock of the backfill, so a cancel comes before all of this or sees all of it. */
  private static boolean write(
      Statements statements,
      Running backfill,
      Instant next,
      BackfillStep step,
      Map<Instant, NewRun> runs) {
    List<NewRun> wanted = new ArrayList<>();
    List<Fire> fires = new ArrayList<>();
    for (Decision decision : step.decisions()) {
      NewRun run = decision.fires() ? Objects.requireNonNull(runs.get(decision.at())) : null;
      if (run != null) {
        wanted.add(run);
      }
      fires.add(new Fire(decision.at(), decision.skipped(), run == null ? null : run.id()));
    }
    BackfillStatements backfills = statements.backfills();
    if (!wanted.isEmpty() && !isStillMissing(backfills, backfill, step.fires())) {
      return false;
    }
    int skipped = fires.size() - wanted.size();
    if (!backfills.advance(backfill.id(), next, step.next(), wanted.size(), skipped)) {
      return false;
    }
    if (!wanted.isEmpty()) {
      Set<RunId> inserted = statements.schedules().insertRuns(wanted, ACTOR);
      if (inserted.size() < wanted.size()) {
        throw new WorkflowDeleted();
      }
    }
    if (!fires.isEmpty()) {
      backfills.insertFires(backfill.id(), fires);
    }
    return true;
  }

  /**
   * The schedule may have fired these instants since they were read. It decides an instant behind
   * the lock that this takes, and looks for the runs of backfills there: one of both has the run.
   */
  private static boolean isStillMissing(
      BackfillStatements backfills, Running backfill, List<Instant> fires) {
    Existing existing = backfill.rules().existing();
    if (existing == Existing.ALL) {
      return true;
    }
    String tenant = backfill.tenant();
    String workflow = backfill.workflow();
    backfills.lockTriggers(tenant, workflow, backfill.schedule().trigger());
    return backfills.readExisting(tenant, workflow, fires).values().stream()
        .noneMatch(found -> existing.skips(found).isPresent());
  }

  private RunParams.Request request(Running backfill, Instant at, Map<String, Object> given) {
    var facts =
        new RunParams.Facts(
            new RunId(parts.ids().next()),
            backfill.tenant(),
            backfill.workflow(),
            at,
            backfill.now());
    return new RunParams.Request(Objects.requireNonNull(backfill.latest()), given, facts);
  }

  private static NewRun run(Running backfill, RunParams.Request request, String json) {
    var cause = new Cause(backfill.schedule().trigger(), backfill.id(), null, null, 0);
    return new NewRun(
        request.facts().run(),
        backfill.tenant(),
        request.version(),
        backfill.workflow(),
        json,
        request.facts().logicalDate(),
        false,
        cause);
  }

  private void complete(Epoch epoch, Running backfill) {
    if (transactions.asLeader(
        epoch, statements -> statements.backfills().complete(backfill.id()))) {
      parts.hints().runChanged();
      log.atInfo().addKeyValue("backfill", backfill.id()).log("backfill completed");
    }
  }

  /** Its runs continue; it creates no further ones. */
  private void giveUp(Epoch epoch, Running backfill, String why) {
    String reason =
        why.length() <= REASON_CHARS_MAX ? why : why.substring(0, REASON_CHARS_MAX) + "...";
    boolean ended =
        transactions.asLeader(
            epoch,
            statements -> {
              boolean gaveUp = statements.backfills().giveUp(backfill.id(), reason);
              if (gaveUp) {
                statements
                    .reap()
                    .alert(
                        ALERT,
                        "the backfill %s of workflow %s could not continue: %s"
                            .formatted(backfill.id(), backfill.workflow(), reason));
              }
              return gaveUp;
            });
    if (ended) {
      parts.meters().gaveUp();
      log.atError()
          .addKeyValue("backfill", backfill.id())
          .addKeyValue("reason", reason)
          .log("backfill given up");
    }
  }
}
