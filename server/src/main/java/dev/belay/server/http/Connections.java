package dev.belay.server.http;

import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open connections of clients, bounded in total and per address. Idle ones close first. */
public final class Connections {

  private static final Logger log = LoggerFactory.getLogger(Connections.class);
  private static final AttributeKey<Connection> CONNECTION =
      AttributeKey.valueOf(Connections.class, "connection");

  /** This fraction of the process's file descriptors is reserved for its own work. */
  private static final int OWN_SHARE = 2;

  /** A process needs at least this many for itself: jars, pools, journals, pipes of tasks. */
  private static final long OWN_MIN = 300;

  /** Clients get at least this fraction, however few descriptors there are. */
  private static final int CLIENT_SHARE_MIN = 8;

  private static final int CLOSING_MIN = 16;

  private final int most;
  private final int mostOfAddress;
  private final int closingMost;
  private final Map<String, Integer> ofAddress = new HashMap<>();

  /** Without an open request, in the order in which they became idle. */
  private final LinkedHashSet<Connection> idle = new LinkedHashSet<>();

  private int open;
  private int closing;
  private int workers;
  private long refused;
  private long closedIdle;

  public Connections(int most, int mostOfAddress) {
    this.most = most;
    this.mostOfAddress = Math.min(most, mostOfAddress);
    this.closingMost = Math.max(CLOSING_MIN, most / CLIENT_SHARE_MIN);
  }

  /**
   * How many client connections a process can afford.
   *
   * @param wanted the setting
   * @param descriptors the most files that the process may open
   */
  public static int affordable(long wanted, long descriptors) {
    long spare = descriptors - Math.max(descriptors / OWN_SHARE, OWN_MIN);
    long least = Math.max(1, descriptors / CLIENT_SHARE_MIN);
    return Math.toIntExact(Math.min(wanted, Math.max(spare, least)));
  }

  /**
   * How many connections may be open in total, including those of workers and those that an event
   * loop has not counted or closed yet. Beyond it, new connections close at once.
   */
  public static int atAll(int most, long descriptors) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, most + descriptors / CLIENT_SHARE_MIN));
  }

  public void watch(BelayMetrics metrics) {
    metrics.watch(Metric.CONNECTIONS_OPEN, () -> sample(Metric.CONNECTIONS_OPEN));
    metrics.watch(Metric.CONNECTIONS_OF_WORKERS, () -> sample(Metric.CONNECTIONS_OF_WORKERS));
    metrics.watch(Metric.CONNECTIONS_REFUSED, () -> sample(Metric.CONNECTIONS_REFUSED));
    metrics.watch(Metric.CONNECTIONS_CLOSED_IDLE, () -> sample(Metric.CONNECTIONS_CLOSED_IDLE));
  }

  /** Counts a new connection and closes an idle one for it, or the new one if all are in use. */
  public void opened(Channel channel) {
    var connection = new Connection(channel);
    switch (admit(connection)) {
      case ADMITTED -> {}
      case FULL -> {
        log.atDebug().addKeyValue("client", connection.address).log("connection refused");
        closeSoon(channel);
        return;
      }
    }
    channel.attr(CONNECTION).set(connection);
    var _ = channel.closeFuture().addListener(_ -> closed(connection));
  }

  /** A request begins on this connection. */
  public void began(Channel channel) {
    var connection = channel.attr(CONNECTION).get();
    if (connection != null) {
      synchronized (this) {
        connection.requests++;
        idle.remove(connection);
      }
    }
  }

  public void ended(Channel channel) {
    var connection = channel.attr(CONNECTION).get();
    if (connection != null) {
      synchronized (this) {
        connection.requests--;
        if (connection.requests == 0 && connection.counted && !connection.ofWorker) {
          idle.add(connection);
        }
      }
    }
  }

  /** A worker sent its token: the connection no longer counts as a client's. */
  public void ofWorker(Channel channel) {
    var connection = channel.attr(CONNECTION).get();
    if (connection != null) {
      synchronized (this) {
        if (connection.counted && !connection.ofWorker) {
          forget(connection);
          connection.ofWorker = true;
          workers++;
        }
      }
    }
  }

  private enum Admission {
    ADMITTED,
    FULL
  }

  private Admission admit(Connection connection) {
    var victim = Optional.<Connection>empty();
    synchronized (this) {
      var ofThisAddress = ofAddress.getOrDefault(connection.address, 0);
      if (ofThisAddress >= mostOfAddress || open >= most) {
        var sameAddress = ofThisAddress >= mostOfAddress;
        Predicate<Connection> sparable =
            one -> !sameAddress || one.address.equals(connection.address);
        // A connection of this event loop closes at once. Others keep their descriptors until their
        // loop runs.
        victim =
            oldestIdle(sparable.and(one -> one.channel.eventLoop().inEventLoop()))
                .or(() -> oldestIdle(sparable));
        if (victim.isEmpty() || closing >= closingMost) {
          refused++;
          return Admission.FULL;
        }
        closedIdle++;
        closing++;
        victim.get().closing = true;
        forget(victim.get());
      }
      count(connection);
      idle.add(connection);
    }
    victim.ifPresent(this::closeIdle);
    return Admission.ADMITTED;
  }

  private Optional<Connection> oldestIdle(Predicate<Connection> which) {
    return idle.stream().filter(which).findFirst();
  }

  private synchronized void closed(Connection connection) {
    if (connection.ofWorker) {
      workers--;
      connection.ofWorker = false;
    }
    if (connection.closing) {
      closing--;
      connection.closing = false;
    }
    if (connection.counted) {
      forget(connection);
    }
  }

  /** A request may begin before its event loop runs this: then the connection stays. */
  private void closeIdle(Connection victim) {
    if (!victim.channel.eventLoop().inEventLoop()) {
      victim.channel.eventLoop().execute(() -> closeIdle(victim));
      return;
    }
    synchronized (this) {
      if (victim.requests > 0 && victim.closing) {
        victim.closing = false;
        closing--;
        closedIdle--;
        count(victim);
        return;
      }
    }
    var _ = victim.channel.close();
  }

  private void count(Connection connection) {
    connection.counted = true;
    open++;
    ofAddress.merge(connection.address, 1, Integer::sum);
  }

  private void forget(Connection connection) {
    connection.counted = false;
    open--;
    idle.remove(connection);
    ofAddress.computeIfPresent(connection.address, (_, count) -> count == 1 ? null : count - 1);
  }

  private static void closeSoon(Channel channel) {
    if (channel.eventLoop().inEventLoop()) {
      var _ = channel.close();
    } else {
      channel.eventLoop().execute(() -> closeSoon(channel));
    }
  }

  private synchronized long sample(Metric metric) {
    return switch (metric) {
      case CONNECTIONS_OPEN -> open;
      case CONNECTIONS_OF_WORKERS -> workers;
      case CONNECTIONS_REFUSED -> refused;
      case CONNECTIONS_CLOSED_IDLE -> closedIdle;
      default -> throw new IllegalArgumentException("not about connections: " + metric);
    };
  }

  /** One connection and its use. */
  private static final class Connection {
    private final Channel channel;
    private final String address;
    private boolean counted;
    private boolean ofWorker;
    private boolean closing;
    private int requests;

    Connection(Channel channel) {
      this.channel = channel;
      this.address =
          channel.remoteAddress() instanceof InetSocketAddress remote
              ? remote.getAddress().getHostAddress()
              : "unknown";
    }
  }
}
