package dev.belay.server.api;

import dev.belay.domain.spec.Expressions;
import dev.belay.server.auth.KnownHosts;
import dev.belay.server.auth.Tokens;
import dev.belay.server.health.HealthReport;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.Settings;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the API is made of.
 *
 * @param checking where the handlers compute
 * @param settings what this server goes by
 */
public record RestDependencies(
    RestStore store,
    LogStore logs,
    Expressions expressions,
    Checking checking,
    Tokens tokens,
    KnownHosts hosts,
    Settings settings,
    Host host) {

  /**
   * The process that the API runs in.
   *
   * @param trouble why the database cannot be used now; empty when it can
   * @param health how it does, from memory
   * @param changes raised by whoever commits something that callers wait for
   * @param blocking runs the handlers; virtual threads
   * @param ticker monotonic nanoseconds
   */
  public record Host(
      String version,
      String edition,
      String replica,
      Supplier<Optional<String>> trouble,
      Supplier<HealthReport> health,
      Changes changes,
      Executor blocking,
      LongSupplier ticker,
      BelayMetrics metrics) {}
}
