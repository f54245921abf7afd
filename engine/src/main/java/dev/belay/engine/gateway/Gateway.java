package dev.belay.engine.gateway;

import dev.belay.domain.id.WorkerId;
import dev.belay.engine.loop.FailureLog;
import dev.belay.engine.port.Deliveries;
import dev.belay.engine.port.RefusedHellos;
import dev.belay.engine.port.WorkerStore;
import dev.belay.engine.result.ResultBatcher;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.gateway.GatewaySettings;
import dev.belay.session.gateway.HeartbeatRate;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.WorkerConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/** The worker streams that this replica holds. Thread-safe. */
public final class Gateway implements Deliveries {

  /** Sends to a worker. One thread at a time. */
  public interface Outbound {
    void send(ServerMessage message);

    void close(String reason);

    /** Called every few seconds; closes the connection when the worker does not read. */
    default void look() {}

    /** The remote address, for people. */
    default String address() {
      return "unknown";
    }
  }

  private final WorkerStore workers;
  private final ResultBatcher results;
  private final GatewaySettings settings;
  private final RefusedHellos refusedHellos;
  private final Executor executor;
  private final DatabaseClock database;
  private final LongSupplier ticker;

  /** In order of opening, so that a simulation is reproducible. */
  private final Map<Long, WorkerStream> streams = new ConcurrentSkipListMap<>();

  private final AtomicLong opened = new AtomicLong();

  /** Shared by all streams, because thousands of workers would report the same outage. */
  private final FailureLog trouble =
      new FailureLog(LoggerFactory.getLogger(Gateway.class), "worker stream failed");

  /**
   * @param executor runs the events of each stream, one at a time per stream; may block
   * @param database converts the times of workers
   * @param ticker monotonic nanoseconds
   */
  public Gateway(
      WorkerStore workers,
      ResultBatcher results,
      GatewaySettings settings,
      RefusedHellos refusedHellos,
      Executor executor,
      DatabaseClock database,
      LongSupplier ticker) {
    this.workers = workers;
    this.results = results;
    this.settings = settings;
    this.refusedHellos = refusedHellos;
    this.executor = executor;
    this.database = database;
    this.ticker = ticker;
  }

  public WorkerStream open(Outbound out) {
    Long number = opened.incrementAndGet();
    var stream =
        new WorkerStream(
            new WorkerConnection(settings),
            new AgentTimes(database),
            new HeartbeatRate(settings.heartbeatInterval()),
            ticker,
            workers,
            results,
            settings.replica(),
            refusedHellos,
            out,
            executor,
            trouble,
            () -> streams.remove(number));
    streams.put(number, stream);
    return stream;
  }

  /** The mailbox of this worker may have changed. */
  public void hint(WorkerId worker) {
    for (WorkerStream stream : streams.values()) {
      if (stream.isOf(worker)) {
        stream.wake();
      }
    }
  }

  @Override
  public boolean deliver(WorkerId worker, List<MailboxEntry> claimed) {
    boolean delivered = false;
    for (WorkerStream stream : streams.values()) {
      if (stream.isOf(worker)) {
        stream.deliver(claimed);
        delivered = true;
      }
    }
    return delivered;
  }

  /** Reads every mailbox: the safety net for lost hints. */
  public void poll() {
    streams.values().forEach(WorkerStream::wake);
  }

  /** Ends every stream, so that workers connect to another replica. Changes no task. */
  public void shutdown() {
    streams.values().forEach(WorkerStream::shutdown);
  }

  public int size() {
    return streams.size();
  }
}
