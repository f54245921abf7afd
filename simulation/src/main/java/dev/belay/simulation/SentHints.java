package dev.belay.simulation;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.port.Hints;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;

/** Hints to all replicas, without delay to the sender; each may be lost or arrive twice. */
final class SentHints implements Hints {
  private static final double LOST = 0.2;
  private static final double DUPLICATED = 0.03;
  private static final Duration WAY_MAX = Duration.ofMillis(30);

  sealed interface Hint {
    record WorkReady() implements Hint {}

    record WorkReadyElsewhere() implements Hint {}

    record Queues(Collection<QueueId> named) implements Hint {}

    record RunChanged() implements Hint {}

    record DueIn(Duration after) implements Hint {}

    record Mailbox(WorkerId worker) implements Hint {}

    record LeaderLeft() implements Hint {}
  }

  private final World world;
  private final Supplier<Replicas> replicas;
  private final SimulatedServer own;

  SentHints(World world, Supplier<Replicas> replicas, SimulatedServer own) {
    this.world = world;
    this.replicas = replicas;
    this.own = own;
  }

  @Override
  public void workReady() {
    send(new Hint.WorkReady(), new Hint.WorkReadyElsewhere());
  }

  @Override
  public void workReady(Collection<QueueId> queues) {
    send(new Hint.Queues(queues));
  }

  @Override
  public void runChanged() {
    send(new Hint.RunChanged());
  }

  @Override
  public void runEnded() {
    if (world.scenario.hasChains() && !world.goesWrong(FaultKind.HINT_LOST, LOST)) {
      own.chainSoon();
    }
  }

  @Override
  public void dueIn(Duration wait) {
    send(new Hint.DueIn(wait));
  }

  @Override
  public void mailbox(WorkerId worker) {
    send(new Hint.Mailbox(worker));
  }

  @Override
  public void leaderLeft() {
    send(new Hint.LeaderLeft());
  }

  private void send(Hint hint) {
    send(hint, hint);
  }

  private void send(Hint here, Hint hint) {
    if (!world.goesWrong(FaultKind.HINT_LOST, LOST)) {
      own.hinted(here);
    }
    for (var other : replicas.get().others(own)) {
      // only the leader, or the holder of the worker's stream, reacts
      boolean concerns =
          hint instanceof Hint.Mailbox || hint instanceof Hint.LeaderLeft || other.leads();
      if (concerns && !world.goesWrong(FaultKind.HINT_LOST, LOST)) {
        other.later(world.chance.upTo(WAY_MAX), () -> other.hinted(hint));
        if (world.goesWrong(FaultKind.HINT_DUPLICATED, DUPLICATED)) {
          other.later(world.chance.upTo(WAY_MAX), () -> other.hinted(hint));
        }
      }
    }
  }
}
