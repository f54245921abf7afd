package dev.belay.benchmarks.scenario;

import dev.belay.benchmarks.lab.BelaySystem;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Submits batches at a constant rate, each when it is due and not when the last was answered, and
 * follows a few tasks of each batch to their end. One thread asks; others submit.
 */
final class SteadyLoad implements AutoCloseable {

  private static final int FOLLOWED_OF_BATCH = 4;
  private static final String ID = "\"id\":\"";
  private static final int ID_LENGTH = 36;

  /** Both times are the database's: when it stored the task, and when it recorded its end. */
  private static final String ENDED =
      """
      SELECT id, extract(epoch FROM state_since - created_at) * 1000
      FROM task
      WHERE id = ANY (?) AND state = 'SUCCEEDED'
      """;

  private final BelaySystem belay;
  private final double perSecond;
  private final long begin = System.nanoTime();
  private final byte[] batch = BelaySystem.batch(BelaySystem.BATCH, BelaySystem.TASK);
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong accepted = new AtomicLong();
  private final Queue<UUID> followed = new ConcurrentLinkedQueue<>();
  private final Queue<IOException> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> submitters = new CopyOnWriteArrayList<>();
  private final Set<UUID> open = new HashSet<>();
  private final Connection connection;
  private final PreparedStatement lookUp;
  private volatile boolean over;

  SteadyLoad(BelaySystem belay, double perSecond) throws SQLException {
    this.belay = belay;
    this.perSecond = perSecond;
    this.connection = belay.database().connect();
    this.lookUp = connection.prepareStatement(ENDED);
    for (int i = 0; i < BelaySystem.SUBMITTERS; i++) {
      submitters.add(Thread.ofVirtual().name("steady-load-" + i).start(this::submit));
    }
  }

  private void submit() {
    try {
      while (!over) {
        long due = due(batches.getAndIncrement());
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        follow(belay.rest().post("/tasks", "application/json", batch));
        accepted.addAndGet(BelaySystem.BATCH);
      }
    } catch (IOException e) {
      failures.add(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long due(long number) {
    return begin + (long) (number * (BelaySystem.BATCH * 1e9 / perSecond));
  }

  /** Takes ids from anywhere in the answer. */
  private void follow(String answer) {
    for (int i = 0; i < FOLLOWED_OF_BATCH; i++) {
      int from = ThreadLocalRandom.current().nextInt(answer.length());
      int at = answer.lastIndexOf(ID, from);
      if (at >= 0) {
        int start = at + ID.length();
        followed.add(UUID.fromString(answer.substring(start, start + ID_LENGTH)));
      }
    }
  }

  /** Milliseconds from submit to the recorded end, of followed tasks that have ended since. */
  List<Double> ended() throws SQLException, IOException {
    @Nullable IOException failure = failures.peek();
    if (failure != null) {
      throw failure;
    }
    for (var id = followed.poll(); id != null; id = followed.poll()) {
      open.add(id);
    }
    var millis = new ArrayList<Double>();
    lookUp.setArray(1, connection.createArrayOf("uuid", open.toArray()));
    try (var rows = lookUp.executeQuery()) {
      while (rows.next()) {
        open.remove(rows.getObject(1, UUID.class));
        millis.add(rows.getDouble(2));
      }
    }
    return millis;
  }

  /** How late the next batch is: it grows when the server does not keep up. */
  long behindMillis() {
    return Math.max(0, (System.nanoTime() - due(batches.get())) / 1_000_000);
  }

  /** Returns when the last batch was answered. */
  void stop() throws InterruptedException {
    over = true;
    for (var each : submitters) {
      each.join();
    }
  }

  long accepted() {
    return accepted.get();
  }

  @Override
  public void close() throws SQLException {
    over = true;
    connection.close();
  }
}
