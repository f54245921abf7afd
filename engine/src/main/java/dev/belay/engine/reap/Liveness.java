package dev.belay.engine.reap;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.GraceReason;
import dev.belay.domain.reap.LivenessRule;
import dev.belay.domain.reap.LivenessVerdict;
import dev.belay.domain.reap.MassSilence;
import dev.belay.domain.reap.ReapContext;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Watched;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ReapReads;
import dev.belay.engine.port.ReapReads.ActiveTask;
import dev.belay.engine.port.ReapReads.SeenWorker;
import dev.belay.engine.port.ReapReads.Survey;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.engine.reap.ReapWriter.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Judges the attempts of doubtful workers. */
final class Liveness {

  private static final Logger log = LoggerFactory.getLogger(Liveness.class);

  private static final String AGENT_LOST = RecoveryKind.AGENT_SILENT.word();

  private final ReapReads reads;
  private final ReapWriter writer;
  private final ReapSettings settings;
  private final Meters meters;
  private final LongSupplier ticker;
  private final Map<WorkerId, Look> watched = new HashMap<>();
  private long lookedAt;
  private boolean massSilence;
  private boolean told;

  Liveness(
      ReapReads reads,
      ReapWriter writer,
      ReapSettings settings,
      Meters meters,
      LongSupplier ticker) {
    this.reads = reads;
    this.writer = writer;
    this.settings = settings;
    this.meters = meters;
    this.ticker = ticker;
  }

  /** A worker's witness, since when it is the same, and since when the worker is lively. */
  private record Look(Witness witness, long still, long lively) {

    /**
     * @param trusted there was no gap in our observations since the last look
     */
    Look then(Witness seen, long now, boolean trusted, Duration longSilence) {
      long since = seen.equals(witness) ? still : now;
      boolean goesOn = trusted && now - since < longSilence.toNanos();
      return new Look(seen, since, goesOn ? lively : now);
    }

    Watched at(long now) {
      return new Watched(Duration.ofNanos(now - still), Duration.ofNanos(now - lively));
    }
  }

  /** A leadership began: earlier observations do not count. */
  void begin() {
    watched.clear();
  }

  /**
   * Call for every survey.
   *
   * @param calm no grace applies
   */
  Survey watch(Survey survey, boolean calm) {
    long now = ticker.getAsLong();
    boolean trusted = calm && now - lookedAt <= settings.grace().databaseGap().toNanos();
    lookedAt = now;
    Duration longSilence = settings.liveness().silent().dividedBy(2);
    Map<WorkerId, Look> seen = new HashMap<>();
    List<SeenWorker> workers = new ArrayList<>();
    for (SeenWorker worker : survey.workers()) {
      Witness witness = worker.witness();
      Look before = watched.getOrDefault(worker.id(), new Look(witness, now, now));
      Look look = before.then(witness, now, trusted, longSilence);
      seen.put(worker.id(), look);
      workers.add(worker.with(look.at(now)));
    }
    watched.clear();
    watched.putAll(seen);
    return survey.with(workers);
  }

  /**
   * @param grace why a silence does not count yet
   */
  Ended runOnce(Epoch epoch, Survey survey, Optional<GraceReason> grace) {
    watchForMassSilence(epoch, survey, grace.isEmpty());
    countStale(survey);
    Set<WorkerId> doubtful = doubtful(survey);
    if (doubtful.isEmpty()) {
      return Ended.NOTHING;
    }
    Map<WorkerId, Witness> witnesses = new HashMap<>();
    survey.workers().forEach(worker -> witnesses.put(worker.id(), worker.witness()));
    var context = new ReapContext(massSilence, grace, survey.steady());
    Ended all = Ended.NOTHING;
    TaskId after = null;
    for (int i = 0; i < settings.batchesMax(); i++) {
      @Nullable TaskId from = after;
      List<ActiveTask> tasks = reads.readActive(doubtful, from, settings.batch(), survey);
      all = all.and(end(epoch, judged(tasks, context), witnesses));
      if (tasks.size() < settings.batch()) {
        break;
      }
      after = tasks.getLast().task();
    }
    return all;
  }

  /** Whether the last survey showed mass silence. */
  boolean isMassSilence() {
    return massSilence;
  }

  /** A new leader holds back too. Only a calm leader raises the alert, and only once. */
  private void watchForMassSilence(Epoch epoch, Survey survey, boolean calm) {
    List<WorkerSign> signs =
        survey.workers().stream()
            .filter(worker -> worker.sign().isOpen() || worker.active() > 0)
            .map(SeenWorker::sign)
            .toList();
    boolean now = MassSilence.isLikely(signs, settings);
    if (now && calm && !told) {
      String detail =
          "of %d workers too many are silent together; none is given up for %s"
              .formatted(signs.size(), settings.grace().mass().hold());
      log.atWarn().addKeyValue("workers", signs.size()).log("too many workers are silent together");
      writer.alert(epoch, "workers_silent_together", detail);
    }
    told = now && (told || calm);
    massSilence = now;
  }

  /** Counts stalled tasks: a count that stays above zero shows that a rule does not work. */
  private void countStale(Survey survey) {
    int dispatched = 0;
    int running = 0;
    for (SeenWorker worker : survey.workers()) {
      if (isQuiet(worker)) {
        dispatched += worker.dispatched();
        running += worker.active() - worker.dispatched();
      }
    }
    meters.stale(Map.of(TaskState.DISPATCHED, dispatched, TaskState.RUNNING, running));
  }

  private boolean isQuiet(SeenWorker worker) {
    return worker.sign().isClosed()
        || worker.sign().silence().compareTo(settings.liveness().silent()) >= 0;
  }

  /** Workers that hold tasks and are not plainly alive, or may have lost a dispatch. */
  private Set<WorkerId> doubtful(Survey survey) {
    Set<WorkerId> doubtful = new HashSet<>(survey.missing());
    for (SeenWorker worker : survey.workers()) {
      if (worker.active() > 0 && (isQuiet(worker) || worker.overdue())) {
        doubtful.add(worker.id());
      }
    }
    return doubtful;
  }

  private List<Ending> judged(List<ActiveTask> tasks, ReapContext context) {
    List<Ending> endings = new ArrayList<>();
    int left = 0;
    for (ActiveTask task : tasks) {
      switch (LivenessRule.judgeAll(task.attempt(), settings, context)) {
        case LivenessVerdict.End end -> endings.add(new Ending(task, end));
        case LivenessVerdict.Leave(var why) -> {
          left++;
          log.atDebug().addKeyValue("task", task.task()).addKeyValue("why", why).log("left");
        }
      }
    }
    meters.reaped(AGENT_LOST, 0, left);
    return endings;
  }

  /** Writes a failed batch one by one, so that a bad candidate affects only itself. */
  private Ended end(Epoch epoch, List<Ending> endings, Map<WorkerId, Witness> witnesses) {
    if (endings.isEmpty()) {
      return Ended.NOTHING;
    }
    try {
      return ended(
          endings, Tries.of(settings.tries(), () -> writer.end(epoch, endings, witnesses)));
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      if (endings.size() == 1) {
        throw failed;
      }
      log.atWarn().setCause(failed).log("a batch of lost tasks failed, each is tried by itself");
    }
    Ended all = Ended.NOTHING;
    for (Ending each : endings) {
      try {
        all = all.and(ended(List.of(each), writer.end(epoch, List.of(each), witnesses)));
      } catch (Deposed deposed) {
        throw deposed;
      } catch (RuntimeException failed) {
        meters.reapFailed(AGENT_LOST, false);
        log.atWarn().addKeyValue("task", each.task().task()).setCause(failed).log("not ended");
      }
    }
    return all;
  }

  private Ended ended(List<Ending> endings, Ended ended) {
    ended.reasons().forEach((reason, count) -> meters.reaped(reason, count, 0));
    if (ended.count() > 0) {
      Ending first = endings.getFirst();
      log.atInfo()
          .addKeyValue("count", ended.count())
          .addKeyValue("worker", first.task().worker())
          .addKeyValue("reason", first.end().kind().reason())
          .addKeyValue("kind", first.end().kind())
          .addKeyValue("after", first.end().sinceSign())
          .log("lost attempts were ended");
    }
    return ended;
  }
}
