package dev.belay.session.lossy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chooses the next event by seed, first with faults, then without until all tasks are over. */
final class World {
  private static final int TASKS = 8;
  private static final int STEPS_WITH_FAULTS = 400;
  private static final int STEPS_MAX = 20_000;

  private final Random random;
  final Database database;
  private final Worker worker;
  private final List<LossyStream> streams = new ArrayList<>();

  /** Claims that have read the worker's session and not committed yet. */
  private final List<Runnable> claims = new ArrayList<>();

  private int step;

  World(long seed) {
    this.random = new Random(seed);
    this.worker = new Worker(this, random);
    this.database = new Database(TASKS, worker.live);
  }

  void run() {
    worker.begin();
    while (step < STEPS_WITH_FAULTS || !isOver()) {
      if (step++ == STEPS_MAX) {
        throw new AssertionError(unfinished());
      }
      step();
    }
    var recorded =
        worker.journal.stream()
            .filter(entry -> entry instanceof JournalEntry.Ended)
            .map(JournalEntry::dispatch)
            .toList();
    assertThat(database.outcomes).as("outcomes delivered").containsAll(recorded);
  }

  long now() {
    return step;
  }

  LossyStream open() {
    var stream = new LossyStream(database, random, this::now);
    streams.add(stream);
    return stream;
  }

  private boolean isFaulty() {
    return step < STEPS_WITH_FAULTS;
  }

  boolean crashesNow() {
    return isFaulty() && random.nextInt(80) == 0;
  }

  private boolean isOver() {
    return worker.isIdle()
        && claims.isEmpty()
        && database.tasks.stream().allMatch(task -> task.state == Database.State.DONE)
        && streams.stream().allMatch(s -> s.calls.isEmpty() && s.toServer.isEmpty())
        && Recovered.replay(worker.journal, true).held().isEmpty();
  }

  private String unfinished() {
    var open = database.tasks.stream().filter(task -> task.state != Database.State.DONE).toList();
    return "never over: tasks %s, held %s, session %s, streams %s, connection wanted %s"
        .formatted(
            open,
            Recovered.replay(worker.journal, true).held(),
            database.session(),
            streams.size(),
            worker.wantsConnection);
  }

  private void step() {
    worker.endOverdue();
    database.reap(step);
    var choices = new ArrayList<Runnable>();
    if (step >= worker.frozenUntil) {
      workerChoices(choices);
    }
    streams.removeIf(LossyStream::isOver);
    for (var stream : streams) {
      streamChoices(stream, choices);
    }
    choices.add(this::beginClaim);
    claims.forEach(claim -> choices.add(() -> commit(claim)));
    if (isFaulty() && random.nextInt(25) == 0) {
      fault();
    } else {
      choices.get(random.nextInt(choices.size())).run();
    }
  }

  private void workerChoices(List<Runnable> choices) {
    if (worker.wantsConnection) {
      choices.add(worker::connect);
    }
    choices.add(worker::tick);
    worker.stopping.forEach(id -> choices.add(() -> worker.end(id)));
    worker.preparing.forEach(id -> choices.add(() -> worker.prepare(id)));
    worker.live.forEach(id -> choices.add(() -> worker.end(id)));
    var stream = worker.stream;
    if (stream != null) {
      var message = stream.toAgent.peek();
      if (message != null) {
        choices.add(
            () -> {
              stream.toAgent.remove();
              worker.receive(message);
            });
      } else if (stream.closedByServer) {
        choices.add(
            () -> {
              stream.cut();
              worker.disconnect();
            });
      }
    }
  }

  private void streamChoices(LossyStream stream, List<Runnable> choices) {
    if (isFaulty() && step < stream.frozenUntil) {
      return;
    }
    choices.add(stream::wake);
    choices.add(stream::serverStep);
    stream.calls.forEach(call -> choices.add(() -> stream.step(call)));
  }

  private void beginClaim() {
    var session = database.session();
    if (session == null || claims.size() > 2) {
      return;
    }
    var task = database.tasks.get(random.nextInt(TASKS));
    if (task.state == Database.State.SCHEDULED) {
      claims.add(() -> database.claim(task, session));
    }
  }

  private void commit(Runnable claim) {
    claims.remove(claim);
    claim.run();
  }

  private void fault() {
    var task = database.tasks.get(random.nextInt(TASKS));
    var stream = worker.stream;
    switch (random.nextInt(8)) {
      case 0 -> worker.crash(random.nextInt(10) == 0);
      case 1, 2 -> {
        if (stream != null) {
          stream.cut();
          worker.disconnect();
        }
      }
      case 3 -> {
        if (stream != null) {
          stream.shutdown();
        }
      }
      case 4 -> task.abortReason = "cancelled";
      case 5 -> {
        if (!streams.isEmpty()) {
          streams.get(random.nextInt(streams.size())).frozenUntil = step + random.nextInt(120);
        }
      }
      case 6 -> worker.frozenUntil = step + random.nextInt(200);
      default -> {
        if (task.isActive() && random.nextInt(4) == 0) {
          database.end(task, "voided", Database.State.DONE);
        }
      }
    }
  }
}
