package dev.belay.simulation;

import dev.belay.engine.port.Effects;
import dev.belay.engine.result.Results;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.List;

/** Sabotage: answers first and writes later, if its replica lives that long. */
record HastyResults(World world, Host host, Results results) implements Results {
  private static final Duration LATER_MAX = Duration.ofMillis(200);

  @Override
  public Written write(List<WorkerEvent> events) {
    host.later(world.chance.upTo(LATER_MAX), () -> writeLater(events));
    var answers =
        events.stream().map(event -> new Settlement(event, Settlement.Answer.APPLIED)).toList();
    return new Written(answers, Effects.NONE, true, true);
  }

  private void writeLater(List<WorkerEvent> events) {
    try {
      results.write(events);
    } catch (RuntimeException failed) {
      world.trace.say("results", "are lost");
    }
  }

  @Override
  public boolean isAway(RuntimeException failure) {
    return results.isAway(failure);
  }
}
