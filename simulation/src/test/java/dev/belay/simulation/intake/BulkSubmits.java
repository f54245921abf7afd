package dev.belay.simulation.intake;

import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.queue.PostgresQueues;
import java.util.List;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;

/** Submits of several tasks, some of them together under one key. */
final class BulkSubmits implements Inlet<BulkSubmits.Bulk> {

  private static final int TASKS = 5;

  private final LiveStore store;
  private int number;

  BulkSubmits(LiveStore store) {
    this.store = store;
  }

  /** Its tasks carry its name. */
  record Bulk(String name) {

    List<Batch> batches() {
      return List.of(batch("first", 1), batch("second", TASKS - 1));
    }

    private Batch batch(String part, int tasks) {
      var key = new IdempotencyKey("default", name + "-" + part, "00");
      return new Batch(key, IntStream.range(0, tasks).mapToObj(each -> task()).toList());
    }

    private NewTask task() {
      return new NewTask(
          "default", name, 50, LiveStore.POOL, "{\"argv\":[\"true\"]}", "{}", false, null);
    }
  }

  @Override
  public Bulk next() {
    number++;
    return new Bulk("bulk-" + number);
  }

  @Override
  public Object deliver(Jdbi process, Bulk message) {
    var queues = new QueueCatalog(new PostgresQueues(process), () -> 0);
    return new TaskIntake(process, store.ids(), store.rows().hints(), queues, Meters.NONE)
        .submit(message.batches(), "me");
  }

  @Override
  public Effect effect(Bulk message) {
    long tasks = store.rows().count("task WHERE name = '" + message.name() + "'");
    return tasks == 0 ? Effect.NONE : tasks == TASKS ? Effect.WHOLE : Effect.BROKEN;
  }

  @Override
  public String toString() {
    return "bulk submits";
  }
}
