package dev.belay.server.metrics;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.port.WorkerStore;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.WorkerHello;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * How busy the workers of this replica are, by their last heartbeats. The gauges are sums and means
 * over the workers: one for each of thousands of workers would be too many. Thread-safe.
 */
public final class WorkerGauges implements WorkerStore {

  private final WorkerStore store;
  private final Map<Peer, Heard> heard = new ConcurrentHashMap<>();

  private record Heard(int slots, Optional<Load> load) {}

  /**
   * @param store does the work
   */
  public WorkerGauges(WorkerStore store) {
    this.store = store;
  }

  public void watch(BelayMetrics metrics) {
    metrics.watch(Metric.WORKER_SLOTS, () -> heard.values().stream().mapToInt(Heard::slots).sum());
    metrics.watch(Metric.WORKER_FREE_SLOTS, () -> loads(Load::freeSlots).sum());
    metrics.watch(Metric.WORKER_CPU, "mean", () -> loads(Load::cpuPercent).average().orElse(0));
    metrics.watch(Metric.WORKER_CPU, "max", () -> loads(Load::cpuPercent).max().orElse(0));
    metrics.watch(Metric.WORKER_GPU, "mean", () -> gpus().average().orElse(0));
    metrics.watch(Metric.WORKER_GPU, "max", () -> gpus().max().orElse(0));
  }

  private DoubleStream loads(ToDoubleFunction<Load> value) {
    return heard.values().stream().flatMap(one -> one.load().stream()).mapToDouble(value);
  }

  /** Only of workers that know it. */
  private DoubleStream gpus() {
    return heard.values().stream()
        .flatMap(one -> one.load().stream())
        .map(Load::gpuPercent)
        .filter(known -> known != null)
        .mapToDouble(Double::doubleValue);
  }

  @Override
  public Registration register(WorkerHello hello, String replica) {
    Registration answer = store.register(hello, replica);
    if (answer instanceof Registration.Accepted) {
      heard.put(hello.peer(), new Heard(hello.profile().offer().slots(), Optional.empty()));
    }
    return answer;
  }

  @Override
  public Optional<List<MailboxEntry>> readMailbox(Peer peer, Collection<DispatchId> assigned) {
    return store.readMailbox(peer, assigned);
  }

  @Override
  public List<DispatchId> rebind(Peer peer, List<Binding> bindings) {
    return store.rebind(peer, bindings);
  }

  @Override
  public boolean touch(Peer peer, Load load) {
    boolean registered = store.touch(peer, load);
    if (registered) {
      heard.computeIfPresent(peer, (_, before) -> new Heard(before.slots(), Optional.of(load)));
    } else {
      heard.remove(peer);
    }
    return registered;
  }

  @Override
  public void drain(Peer peer) {
    store.drain(peer);
  }

  /** Every stream that was registered ends with this. */
  @Override
  public void markDisconnected(Peer peer, boolean closedByPeer) {
    heard.remove(peer);
    store.markDisconnected(peer, closedByPeer);
  }
}
