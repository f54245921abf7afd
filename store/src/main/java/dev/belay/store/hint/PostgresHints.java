package dev.belay.store.hint;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.loop.Loop;
import dev.belay.engine.loop.Loops;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Hints;
import dev.belay.store.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers hints to this replica directly and to the others by NOTIFY. */
public final class PostgresHints implements Hints, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PostgresHints.class);
  private static final String CHANNEL = "belay";
  private static final String WORK = "work";

  /** With the id of a task queue, or without one when there are too many to name. */
  private static final String QUEUE = "queue ";

  private static final String RUN = "run";
  private static final String DUE = "due ";
  private static final String MAILBOX = "mailbox ";
  private static final String TRIGGERS = "triggers";
  private static final String ROUTING = "routing";
  private static final String EVENT = "event";
  private static final String LEADER = "leader";
  private static final int PENDING_MAX = 1_000;

  /** Task queues that hints name one by one. */
  private static final int QUEUES_MAX = 50;

  /** A leader that hears of a timer a little early looks twice. */
  private static final long DUE_STEP_MILLIS = 10;

  /** The leader's next ticks read timers that are further away. */
  private static final Duration DUE_MAX = Duration.ofSeconds(30);

  private static final int LISTEN_MILLIS = 500;
  private static final int LISTENS_PER_PROBE = 30;
  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final Duration GATHER = Duration.ofMillis(50);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Hints here;
  private final Connections connections;
  private final Set<String> pending = new LinkedHashSet<>();
  private final Signal wake = new Signal();
  private final BooleanSupplier leads;
  private final Loop speaker;
  private final Loop listener;
  private volatile int speakerPid;

  /** Another process needs a pending hint at once. */
  private volatile boolean urgent;

  /** The gathering pause is over. Only the speaker's thread uses this. */
  private boolean gathered;

  private int quiet;
  private @Nullable Connection speaking;
  private @Nullable Connection listening;

  /**
   * @param leads whether this process leads. If so, only callers who wait at other replicas need
   *     hints about work and runs, and a few hints a second are enough
   */
  public PostgresHints(Hints here, Connections connections, Loops loops, BooleanSupplier leads) {
    this.leads = leads;
    this.here = here;
    this.connections = connections;
    this.speaker = loops.make("hints-out", this::speak, wake);
    this.listener = loops.make("hints-in", this::listen, new Signal());
  }

  public PostgresHints start() {
    speaker.start();
    listener.start();
    return this;
  }

  @Override
  public void workReady() {
    here.workReady();
    tellLeader(WORK);
  }

  @Override
  public void workReady(Collection<QueueId> queues) {
    here.workReady(queues);
    if (leads.getAsBoolean()) {
      tellLeader(WORK); // Nobody else has to know which.
    } else if (queues.isEmpty() || queues.size() > QUEUES_MAX) {
      tellLeader(QUEUE);
    } else {
      queues.forEach(queue -> tellLeader(QUEUE + queue));
    }
  }

  @Override
  public void runChanged() {
    here.runChanged();
    tellLeader(RUN);
  }

  /** Only a leader ends runs, and only it waits for their ends. */
  @Override
  public void runEnded() {
    here.runEnded();
  }

  @Override
  public void eventStored() {
    here.eventStored();
    if (!leads.getAsBoolean()) {
      tell(EVENT);
    }
  }

  @Override
  public void dueIn(Duration wait) {
    here.dueIn(wait);
    if (!leads.getAsBoolean() && wait.compareTo(DUE_MAX) < 0) {
      tell(DUE + wait.toMillis() / DUE_STEP_MILLIS * DUE_STEP_MILLIS);
    }
  }

  @Override
  public void triggersChanged() {
    here.triggersChanged();
    if (!leads.getAsBoolean()) {
      tell(TRIGGERS);
    }
  }

  @Override
  public void routingChanged() {
    here.routingChanged();
    if (!leads.getAsBoolean()) {
      tell(ROUTING);
    }
  }

  @Override
  public void mailbox(WorkerId worker) {
    here.mailbox(worker);
    tell(MAILBOX + worker);
  }

  @Override
  public void leaderLeft() {
    here.leaderLeft();
    tell(LEADER);
  }

  private void tell(String hint) {
    urgent = true;
    add(hint);
    wake.raise();
  }

  /** The first pending hint wakes the speaker, which then waits for more hints to gather. */
  private void tellLeader(String hint) {
    boolean elsewhere = !leads.getAsBoolean();
    if (elsewhere) {
      urgent = true;
    }
    if (add(hint) || elsewhere) {
      wake.raise();
    }
  }

  /** Returns whether no other hint was pending. */
  private boolean add(String hint) {
    synchronized (pending) {
      boolean first = pending.isEmpty();
      if (pending.size() < PENDING_MAX) {
        pending.add(hint);
      }
      return first;
    }
  }

  private Duration speak() {
    if (!urgent && !gathered) {
      synchronized (pending) {
        if (pending.isEmpty()) {
          return IDLE;
        }
      }
      gathered = true;
      return GATHER;
    }
    gathered = false;
    urgent = false;
    Set<String> hints;
    synchronized (pending) {
      hints = Set.copyOf(pending);
      pending.clear();
    }
    if (hints.isEmpty()) {
      return IDLE;
    }
    try {
      Connection open = speaking;
      if (open == null) {
        open = connections.open();
        speaking = open;
        speakerPid = open.unwrap(PGConnection.class).getBackendPID();
      }
      try (var statement =
          open.prepareStatement(
              "SELECT pg_notify(?, hint) FROM unnest(CAST(? AS text[])) AS h (hint)")) {
        statement.setString(1, CHANNEL);
        statement.setArray(2, open.createArrayOf("text", hints.toArray()));
        statement.execute();
      }
      return IDLE;
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("hints not sent");
      speaking = closed(speaking);
      return AFTER_FAILURE;
    }
  }

  private Duration listen() {
    try {
      Connection open = listening;
      if (open == null) {
        open = connections.open();
        listening = open;
        try (var statement = open.createStatement()) {
          statement.execute("LISTEN " + CHANNEL);
        }
      }
      PGNotification[] hints = open.unwrap(PGConnection.class).getNotifications(LISTEN_MILLIS);
      if (hints != null) {
        for (PGNotification hint : hints) {
          if (hint.getPID() != speakerPid) {
            receive(hint.getParameter());
          }
        }
      }
      if (++quiet % LISTENS_PER_PROBE == 0) {
        // Only a write detects that the other end closed.
        try (var statement = open.createStatement()) {
          statement.execute("SELECT 1");
        }
      }
      return Duration.ZERO;
    } catch (SQLException failed) {
      log.atDebug().setCause(failed).log("hints not received");
      listening = closed(listening);
      return AFTER_FAILURE;
    }
  }

  private void receive(String hint) {
    if (hint.equals(WORK)) {
      here.workReadyElsewhere();
    } else if (hint.startsWith(QUEUE)) {
      String queue = hint.substring(QUEUE.length());
      here.workReady(queue.isEmpty() ? List.of() : List.of(new QueueId(Long.parseLong(queue))));
    } else if (hint.equals(RUN)) {
      here.runChanged();
    } else if (hint.startsWith(DUE)) {
      here.dueIn(Duration.ofMillis(Long.parseLong(hint.substring(DUE.length()))));
    } else if (hint.equals(TRIGGERS)) {
      here.triggersChanged();
    } else if (hint.equals(ROUTING)) {
      here.routingChanged();
    } else if (hint.equals(EVENT)) {
      here.eventStored();
    } else if (hint.equals(LEADER)) {
      here.leaderLeft();
    } else if (hint.startsWith(MAILBOX)) {
      here.mailbox(WorkerId.of(hint.substring(MAILBOX.length())));
    }
  }

  private static @Nullable Connection closed(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException failed) {
        log.atDebug().setCause(failed).log("connection did not close well");
      }
    }
    return null;
  }

  /** Sends the pending hints before it closes. */
  @Override
  public void close() {
    if (speaker.close(CLOSE_MAX)) {
      urgent = true;
      var _ = speak();
    }
    listener.close();
    speaking = closed(speaking);
    listening = closed(listening);
  }
}
