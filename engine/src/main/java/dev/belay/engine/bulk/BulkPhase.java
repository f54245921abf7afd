package dev.belay.engine.bulk;

import dev.belay.domain.bulk.BulkRefusal;
import dev.belay.domain.id.BulkId;
import dev.belay.domain.id.Ids;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Graph;
import dev.belay.engine.bulk.BulkAction.Done;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.statement.BulkStatements;
import dev.belay.engine.statement.BulkStatements.Active;
import dev.belay.engine.statement.BulkStatements.Item;
import dev.belay.engine.statement.BulkStatements.Progress;
import dev.belay.engine.statement.BulkStatements.Refused;
import dev.belay.engine.statement.BulkStatements.Running;
import dev.belay.engine.statement.BulkStatements.Unreadable;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works bulk operations off. Each round does one short transaction of each RUNNING operation, so a
 * large one never holds up a small one. An operation that fails never stops the others.
 */
public final class BulkPhase {

  private static final Logger log = LoggerFactory.getLogger(BulkPhase.class);

  public static final String ALERT = "bulk_failed";

  /** Tries of an item that fails by itself; the cause may be somebody's lock. */
  private static final int TRIES_MAX = 3;

  /** With a rate, about so many transactions in a second. */
  private static final int WAVES = 4;

  private static final int REASON_CHARS_MAX = 500;

  private final Transactions transactions;
  private final BulkActions actions;
  private final Parts parts;
  private final Settings settings;
  private final Supplier<Optional<Epoch>> leadership;
  private final Map<BulkId, BulkBuffer> buffers = new HashMap<>();
  private boolean led;

  /**
   * @param batch changes at most this many items in one transaction
   * @param look reads at most this many items ahead
   * @param read works off at most this many operations in a round
   * @param poll looks this often without a hint
   */
  public record Settings(int batch, int look, int read, Duration poll) {}

  /**
   * @param graphs reads the graph of a run
   * @param ids of new tasks
   */
  public record Parts(
      Function<RunId, Optional<Graph>> graphs,
      Ids ids,
      Hints hints,
      Meters meters,
      BulkMeters bulkMeters) {}

  /**
   * @param leadership the epoch, while this replica leads with trust
   */
  public BulkPhase(
      Transactions transactions,
      Parts parts,
      Settings settings,
      Supplier<Optional<Epoch>> leadership) {
    this.transactions = transactions;
    this.actions = new BulkActions(parts.graphs(), parts.ids());
    this.parts = parts;
    this.settings = settings;
    this.leadership = leadership;
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
    List<Running> running = read();
    Duration sleep = settings.poll();
    try {
      for (Running operation : running) {
        Duration wait = isolated(epoch.get(), operation);
        sleep = wait.compareTo(sleep) < 0 ? wait : sleep;
      }
    } catch (Deposed deposed) {
      log.atInfo().addKeyValue("epoch", epoch.get().value()).log("bulks no more: deposed");
    }
    return sleep;
  }

  /** All of them: the intake bounds how many there may be. */
  private List<Running> read() {
    var running = new ArrayList<Running>();
    List<Running> page;
    do {
      BulkId last = running.isEmpty() ? null : running.getLast().id();
      page = transactions.each(statements -> statements.bulks().readRunning(last, settings.read()));
      running.addAll(page);
    } while (page.size() == settings.read());
    var ids = new HashSet<BulkId>();
    running.forEach(operation -> ids.add(operation.id()));
    buffers.keySet().retainAll(ids);
    parts.bulkMeters().active(running.size());
    return running;
  }

  private void rest() {
    if (led) {
      parts.bulkMeters().active(0);
      buffers.clear();
    }
    led = false;
  }

  /** Returns how long it waits at least; zero when there is more to do at once. */
  private Duration isolated(Epoch epoch, Running operation) {
    try {
      return switch (operation) {
        case Active active -> step(epoch, active);
        case Unreadable(var id, var why) -> {
          fail(epoch, id, "unreadable: " + why);
          yield settings.poll();
        }
      };
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError failed) {
      log.atError()
          .addKeyValue("bulk", operation.id())
          .setCause(failed)
          .log("bulk not advanced now, others go on");
      buffers.remove(operation.id());
      if (failed instanceof RuntimeException refused && transactions.isRefused(refused)) {
        fail(epoch, operation.id(), "unwritable");
      }
      return settings.poll();
    }
  }

  private Duration step(Epoch epoch, Active operation) {
    if (operation.pause().isPositive()) {
      return operation.pause();
    }
    BulkBuffer buffer = buffer(operation);
    if (buffer.isEmpty()) {
      return endOf(epoch, operation, buffer);
    }
    BulkAction action = actions.of(operation.order().kind());
    List<Item> batch = buffer.take(batchOf(operation.rate()), action);
    batch.forEach(action::prepare);
    try {
      return change(epoch, operation, buffer, action, batch);
    } catch (Deposed deposed) {
      throw deposed;
    } catch (RuntimeException failed) {
      if (transactions.isAway(failed)) {
        throw failed;
      }
      return failed(epoch, operation, buffer, batch, failed);
    }
  }

  private int batchOf(@Nullable Double rate) {
    return rate == null ? settings.batch() : Math.clamp((long) (rate / WAVES), 1, settings.batch());
  }

  private BulkBuffer buffer(Active operation) {
    BulkBuffer known = buffers.get(operation.id());
    if (known != null && known.isAt(operation.cursor())) {
      return known;
    }
    var looked =
        transactions.each(
            statements ->
                statements.bulks().look(operation.order(), operation.cursor(), settings.look()));
    var buffer = new BulkBuffer(operation.cursor(), looked);
    buffers.put(operation.id(), buffer);
    return buffer;
  }

  /** None of those that it looked at matches, or none is left. */
  private Duration endOf(Epoch epoch, Active operation, BulkBuffer buffer) {
    buffers.remove(operation.id());
    UUID last = buffer.last();
    if (last != null) {
      var progress = new Progress(last, 0, List.of());
      transactions.asLeader(
          epoch,
          statements -> statements.bulks().advance(operation.id(), operation.cursor(), progress));
      return Duration.ZERO;
    }
    boolean done =
        transactions.asLeader(
            epoch, statements -> statements.bulks().complete(operation.id(), operation.cursor()));
    if (done) {
      parts.hints().runChanged();
      log.atInfo().addKeyValue("bulk", operation.id()).log("bulk done");
    }
    return done ? settings.poll() : Duration.ZERO;
  }

  /** What a transaction did. */
  private record Written(Progress progress, List<Done> changes) {}

  private Duration change(
      Epoch epoch, Active operation, BulkBuffer buffer, BulkAction action, List<Item> batch) {
    Optional<Written> written =
        transactions.asLeader(epoch, statements -> change(statements, operation, action, batch));
    if (written.isEmpty()) {
      // It was cancelled, or another leader went on.
      buffers.remove(operation.id());
      return Duration.ZERO;
    }
    buffer.done(batch);
    tell(operation, written.get());
    return Duration.ZERO;
  }

  private static Optional<Written> change(
      Statements statements, Active operation, BulkAction action, List<Item> batch) {
    BulkStatements bulks = statements.bulks();
    if (!bulks.lock(operation.id(), operation.cursor())) {
      return Optional.empty();
    }
    batch.forEach(item -> action.lockBefore(statements, item));
    Set<UUID> matching =
        bulks.lockMatching(operation.order(), batch.stream().map(Item::id).toList());
    var changes = new ArrayList<Done>();
    var refused = new ArrayList<Refused>();
    for (Item item : batch) {
      Done done =
          matching.contains(item.id())
              ? action.act(statements, operation.order(), item)
              : Done.refused(BulkRefusal.NO_LONGER_MATCHES, "Its state changed after the request.");
      if (done.refusal() == null) {
        changes.add(done);
      } else {
        refused.add(new Refused(item.id(), done.refusal(), done.why()));
      }
    }
    var progress = new Progress(batch.getLast().id(), changes.size(), refused);
    if (!bulks.advance(operation.id(), operation.cursor(), progress)) {
      throw new IllegalStateException("a locked bulk operation changed: " + operation.id());
    }
    return Optional.of(new Written(progress, changes));
  }

  private void tell(Active operation, Written written) {
    var toTell = new HashSet<WorkerId>();
    boolean runChanged = false;
    for (Done done : written.changes()) {
      parts.meters().happened(done.effects());
      toTell.addAll(done.toTell());
      runChanged |= done.runChanged();
    }
    toTell.forEach(parts.hints()::mailbox);
    if (runChanged) {
      parts.hints().runChanged();
    }
    count(operation, written.progress());
  }

  private void count(Active operation, Progress progress) {
    parts
        .bulkMeters()
        .dealtWith(operation.order().kind(), progress.changed(), progress.refused().size());
  }

  /** Tries the items one by one, and then leaves the one behind that keeps failing. */
  private Duration failed(
      Epoch epoch, Active operation, BulkBuffer buffer, List<Item> batch, RuntimeException failed) {
    int failures = buffer.failed(batch);
    Item first = batch.getFirst();
    log.atWarn()
        .addKeyValue("bulk", operation.id())
        .addKeyValue("item", first.id())
        .addKeyValue("items", batch.size())
        .addKeyValue("failures", failures)
        .setCause(failed)
        .log("items of a bulk operation not changed");
    if (failures < TRIES_MAX) {
      return failures == 0 ? Duration.ZERO : settings.poll();
    }
    var refusal =
        new Refused(
            first.id(),
            BulkRefusal.ERROR,
            "It failed " + TRIES_MAX + " times; the log of the server says why.");
    var progress = new Progress(first.id(), 0, List.of(refusal));
    if (transactions.asLeader(
        epoch,
        statements -> statements.bulks().advance(operation.id(), operation.cursor(), progress))) {
      buffer.done(batch);
      count(operation, progress);
    }
    return Duration.ZERO;
  }

  /** What it changed stays. */
  private void fail(Epoch epoch, BulkId id, String why) {
    String reason =
        why.length() <= REASON_CHARS_MAX ? why : why.substring(0, REASON_CHARS_MAX) + "...";
    boolean ended =
        transactions.asLeader(
            epoch,
            statements -> {
              boolean failed = statements.bulks().fail(id, reason);
              if (failed) {
                statements
                    .reap()
                    .alert(
                        ALERT,
                        "the bulk operation %s could not continue: %s".formatted(id, reason));
              }
              return failed;
            });
    if (ended) {
      parts.bulkMeters().failed();
      parts.hints().runChanged();
      log.atError().addKeyValue("bulk", id).addKeyValue("reason", reason).log("bulk failed");
    }
  }
}
