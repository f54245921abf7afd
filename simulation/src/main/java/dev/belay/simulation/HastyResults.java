package dev.belay.simulation;

import dev.belay.engine.port.ResultStore;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What must not be: answers first and writes later, if its replica lives so long. */
record HastyResults(World world, Host host, ResultStore store) implements ResultStore {
  private static final Duration LATER_MAX = Duration.ofMillis(200);

  @Override
  public Outcome apply(List<WorkerEvent> events) {
    host.later(world.chance.upTo(LATER_MAX), () -> write(events));
    var answers =
        events.stream().map(event -> new Settlement(event, Settlement.Answer.APPLIED)).toList();
    return new Outcome(answers, Map.of(), true, true);
  }

  private void write(List<WorkerEvent> events) {
    try {
      store.apply(events);
    } catch (RuntimeException failed) {
      world.trace.say("results", "are lost");
    }
  }
}
