package dev.belay.server.api;

import dev.belay.domain.spec.Expressions;
import dev.belay.server.auth.HookKeys;
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
 * The parts of the API.
 *
 * @param checking where the handlers compute
 * @param settings of this server
 */
public record RestDependencies(
    RestStore store,
    LogStore logs,
    Expressions expressions,
    Checking checking,
    Tokens tokens,
    KnownHosts hosts,
    HookKeys hooks,
    Settings settings,
    Host host) {

  /**
   * The process that hosts the API.
   *
   * @param trouble why the database is currently unusable; empty when it is usable
   * @param health the replica's health, from memory
   * @param changes raised after each commit that callers may wait for
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
