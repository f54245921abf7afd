package dev.belay.server.api;

import dev.belay.store.system.KnownRoutes;
import dev.belay.store.system.KnownRoutes.Route;
import dev.belay.workflow.BelayFile.RouteUse;
import dev.belay.workflow.Problem;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns about pools and topics that nobody serves: perhaps a typing error. A submit must not pay
 * for that, so this keeps what it read for a few seconds. Before it warns, it looks again.
 *
 * <p>Threads: any. One reads at a time; the others use what was read before.
 */
final class RouteWarnings {

  private static final Duration AGE_MAX = Duration.ofSeconds(10);

  /** Many bad submits cost one look in this time. */
  private static final Duration WARNING_AGE_MAX = Duration.ofSeconds(1);

  private final Supplier<KnownRoutes> read;
  private final LongSupplier ticker;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Look last;

  private record Look(KnownRoutes known, long atNanos) {}

  /**
   * @param read asks the database
   * @param ticker monotonic nanoseconds
   */
  RouteWarnings(Supplier<KnownRoutes> read, LongSupplier ticker) {
    this.read = read;
    this.ticker = ticker;
  }

  /** Each kind of trouble with these routes once. */
  List<String> of(Collection<Route> routes) {
    return all(routes, knownFor(routes));
  }

  /** Those that are declared, as far as is known. */
  Set<String> topics() {
    return known(AGE_MAX).topics().keySet();
  }

  /** The same, by the places of a workflow file. */
  List<Problem> of(String file, List<RouteUse> uses) {
    var routes = uses.stream().map(RouteProblems::route).toList();
    return RouteProblems.of(file, uses, knownFor(routes)).toList();
  }

  private KnownRoutes knownFor(Collection<Route> routes) {
    KnownRoutes known = known(AGE_MAX);
    return all(routes, known).isEmpty() ? known : known(WARNING_AGE_MAX);
  }

  private static List<String> all(Collection<Route> routes, KnownRoutes known) {
    return routes.stream()
        .distinct()
        .map(known::warning)
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  private KnownRoutes known(Duration ageMax) {
    Look look = last;
    if (look != null && ticker.getAsLong() - look.atNanos() < ageMax.toNanos()) {
      return look.known();
    }
    if (look == null) {
      reading.lock();
    } else if (!reading.tryLock()) {
      return look.known();
    }
    try {
      Look newer = last;
      if (newer != null && (look == null || newer.atNanos() != look.atNanos())) {
        return newer.known();
      }
      KnownRoutes known = read.get();
      last = new Look(known, ticker.getAsLong());
      return known;
    } finally {
      reading.unlock();
    }
  }
}
