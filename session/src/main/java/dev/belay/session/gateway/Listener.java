package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Refused;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.protocol.agent.v1.Started;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.gateway.WorkerEvent.Execution;
import dev.belay.session.wire.WireId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Validates the messages of an agent. Cuts texts for people, and replaces the NUL that PostgreSQL
 * rejects, instead of refusing them: the agent would repeat a refused outcome endlessly.
 */
record Listener(Limits limits) {
  /** Entries of one message: a batch of the store has as many. */
  static final int RESULTS_MAX = 500;

  /** The end of the year 9999: no process time is later. */
  private static final long TIME_MAX_MS = 253_402_300_799_999L;

  /** Allows 10,000 processors at 100 each. */
  private static final int CPU_PERCENT_MAX = 1_000_000;

  private static final int GPU_PERCENT_MAX = 100;

  Heard hear(AgentMessage message, Stamps stamps) {
    return switch (message.getKindCase()) {
      case HELLO -> new HelloCheck(limits).check(message.getHello());
      case HEARTBEAT -> heartbeat(message.getHeartbeat());
      case ACKED -> acked(message.getAcked().getDispatchIdsList());
      case STARTED -> started(message.getStarted(), stamps);
      case FINISHED -> finished(message.getFinished(), stamps);
      case REFUSED -> refused(message.getRefused());
      case RESULTS -> results(message.getResults(), stamps);
      case DRAINING -> new Heard.Draining();
      case KIND_NOT_SET -> new Heard.Unknown();
    };
  }

  private Heard heartbeat(Heartbeat heartbeat) {
    if (!areIds(heartbeat.getActiveList()) || !areIds(heartbeat.getPreparingList())) {
      return new Heard.Malformed("heartbeat: malformed, or too many active dispatches");
    }
    if (heartbeat.getFreeSlots() < 0 || heartbeat.getFreeSlots() > limits.slotsMax()) {
      return new Heard.Malformed("heartbeat: free_slots is not in 0.." + limits.slotsMax());
    }
    // false for NaN, too
    if (!(heartbeat.getCpuPercent() >= 0 && heartbeat.getCpuPercent() <= CPU_PERCENT_MAX)) {
      return new Heard.Malformed("heartbeat: cpu_percent is not in 0.." + CPU_PERCENT_MAX);
    }
    if (!(heartbeat.getGpuPercent() >= 0 && heartbeat.getGpuPercent() <= GPU_PERCENT_MAX)) {
      return new Heard.Malformed("heartbeat: gpu_percent is not in 0.." + GPU_PERCENT_MAX);
    }
    var active = heartbeat.getActiveList().stream().map(DispatchId::of).toList();
    var preparing = heartbeat.getPreparingList().stream().map(DispatchId::of).toList();
    return new Heard.Heartbeat(
        active,
        new GatewayCommand.Load(
            heartbeat.getNumber(),
            preparing,
            active.size(),
            heartbeat.getFreeSlots(),
            heartbeat.getCpuPercent(),
            heartbeat.hasGpuPercent() ? Double.valueOf(heartbeat.getGpuPercent()) : null,
            cut(heartbeat.getTrouble(), limits.textMax())));
  }

  private Heard acked(List<String> ids) {
    return areIds(ids)
        ? new Heard.Acked(ids.stream().map(DispatchId::of).toList())
        : new Heard.Malformed("acked: malformed, or too many dispatch ids");
  }

  private boolean areIds(List<String> ids) {
    return ids.size() <= limits.idsMax() && ids.stream().allMatch(WireId::isUuid);
  }

  /** One malformed result makes all of them malformed. */
  private Heard results(Results message, Stamps stamps) {
    int count = message.getStartedCount() + message.getFinishedCount() + message.getRefusedCount();
    if (count > RESULTS_MAX) {
      return new Heard.Malformed("results: more than " + RESULTS_MAX);
    }
    List<Heard> results = new ArrayList<>(count);
    message.getStartedList().forEach(started -> results.add(started(started, stamps)));
    message.getFinishedList().forEach(finished -> results.add(finished(finished, stamps)));
    message.getRefusedList().forEach(refused -> results.add(refused(refused)));
    for (Heard result : results) {
      if (result instanceof Heard.Malformed) {
        return result;
      }
    }
    return new Heard.Results(results);
  }

  private Heard refused(Refused refused) {
    return WireId.isUuid(refused.getDispatchId()) && WireId.isTask(refused.getTaskId())
        ? new Heard.Ended(
            DispatchId.of(refused.getDispatchId()),
            WireId.task(refused.getTaskId()),
            new Outcome.Refused(cut(refused.getReason(), limits.textMax())),
            Execution.UNKNOWN)
        : new Heard.Malformed("refused: malformed dispatch or task id");
  }

  private static Heard started(Started started, Stamps stamps) {
    long at = stamps.of(started.getAtMs(), started.getAtMs());
    return WireId.isUuid(started.getDispatchId())
            && WireId.isTask(started.getTaskId())
            && isTime(at)
        ? new Heard.Started(
            DispatchId.of(started.getDispatchId()), WireId.task(started.getTaskId()), at)
        : new Heard.Malformed("started: malformed dispatch id, task id or time");
  }

  private Heard finished(Finished finished, Stamps stamps) {
    long last = finished.getEndedAtMs();
    long ended = stamps.of(last, last);
    long started = finished.getStartedAtMs();
    if (started > 0) {
      started = Math.max(1, stamps.of(started, last));
    }
    if (!WireId.isUuid(finished.getDispatchId())
        || !WireId.isTask(finished.getTaskId())
        || !isTime(started)
        || !isTime(ended)
        || finished.getOutputLostBytes() < 0) {
      return new Heard.Malformed("finished: malformed dispatch id, task id, time or count");
    }
    var outcome = outcome(finished);
    if (outcome.isEmpty()) {
      return new Heard.Malformed("finished: no outcome");
    }
    var execution =
        new Execution(
            started,
            ended,
            cut(finished.getDetail(), limits.detailMax()),
            finished.getOutputLostBytes());
    return new Heard.Ended(
        DispatchId.of(finished.getDispatchId()),
        WireId.task(finished.getTaskId()),
        outcome.get(),
        execution);
  }

  private Optional<Outcome> outcome(Finished finished) {
    return switch (finished.getOutcomeCase()) {
      case EXIT -> {
        var exit = finished.getExit();
        yield Optional.of(
            new Outcome.Exited(
                exit.getCode(), Math.max(0, exit.getSignal()), exit.getOutOfMemory()));
      }
      case TIMED_OUT ->
          Optional.of(new Outcome.TimedOut(Duration.ofMillis(finished.getTimedOut().getLimitMs())));
      case STALLED ->
          Optional.of(new Outcome.Stalled(Duration.ofMillis(finished.getStalled().getLimitMs())));
      case ABORTED ->
          Optional.of(
              new Outcome.Aborted(cut(finished.getAborted().getReason(), limits.textMax())));
      case START_FAILED ->
          Optional.of(
              new Outcome.StartFailed(
                  cut(finished.getStartFailed().getMessage(), limits.textMax())));
      case OUTCOME_NOT_SET -> Optional.empty();
    };
  }

  static boolean isTime(long ms) {
    return ms >= 0 && ms <= TIME_MAX_MS;
  }

  private static String cut(String text, int max) {
    var clean = text.replace('\0', ' ');
    if (clean.length() <= max) {
      return clean;
    }
    // do not split a surrogate pair
    return clean.substring(0, Character.isHighSurrogate(clean.charAt(max - 1)) ? max - 1 : max);
  }
}
