package dev.belay.simulation.contract;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.LivenessVerdict;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.engine.port.ReapReads.ActiveTask;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.engine.reap.ReapWriter.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the reaper saw of one attempt, and has judged: its worker is silent. */
record Reaping(
    Stage stage, ActiveTask active, Map<WorkerId, Witness> witnesses, Duration mayRunOn) {

  Reaping(Stage stage, Dispatched task) {
    var survey = stage.reapReads.survey();
    Map<WorkerId, Witness> seen = new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
    survey.workers().forEach(worker -> seen.put(worker.id(), worker.witness()));
    var active =
        stage.reapReads.readActive(List.of(task.to().worker()), null, 100, survey).stream()
            .filter(one -> one.dispatch().equals(task.id()))
            .toList()
            .getFirst();
    this(stage, active, seen, Duration.ZERO);
  }

  Reaping mayRunOn(Duration longer) {
    return new Reaping(stage, active, witnesses, longer);
  }

  Ended end() {
    var kind = RecoveryKind.AGENT_SILENT;
    var end = new LivenessVerdict.End(kind, Duration.ofSeconds(95), mayRunOn);
    return stage.reaps.end(stage.epoch, List.of(new Ending(active, end)), witnesses);
  }
}
