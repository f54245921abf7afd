package dev.belay.server.wiring;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.sun.management.UnixOperatingSystemMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.server.EngineParts;
import dev.belay.server.ServerSettings;
import dev.belay.server.api.Changes;
import dev.belay.server.api.Checking;
import dev.belay.server.api.RestApi;
import dev.belay.server.api.RestDependencies;
import dev.belay.server.api.RestStore;
import dev.belay.server.auth.CallPermission;
import dev.belay.server.auth.HookKeys;
import dev.belay.server.auth.KnownHosts;
import dev.belay.server.auth.Tokens;
import dev.belay.server.auth.UnsafeToken;
import dev.belay.server.gateway.AgentService;
import dev.belay.server.gateway.Ending;
import dev.belay.server.gateway.UnreadBound;
import dev.belay.server.health.DatabaseProbe;
import dev.belay.server.health.Health;
import dev.belay.server.http.Connections;
import dev.belay.server.http.FirstBytes;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.server.metrics.Metric;
import dev.belay.settings.EngineGroup;
import dev.belay.settings.EventGroup;
import dev.belay.settings.HealthGroup;
import dev.belay.settings.ReapGroup;
import dev.belay.settings.ServerGroup;
import dev.belay.settings.WorkerGroup;
import dev.belay.store.Database;
import dev.belay.store.DatabaseTrouble;
import dev.belay.store.Migrations;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.read.WaitReads;
import dev.belay.store.system.PostgresRouting;
import dev.belay.workflow.CelExpressions;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server replica: database, engine, API and gateway on one port. */
public final class BelayServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BelayServer.class);
  private static final Duration STOP_MAX = Duration.ofMillis(500);

  private final HikariDataSource source;
  private final Replica replica;
  private final Upkeep upkeep;
  private final Server server;

  private BelayServer(HikariDataSource source, Replica replica, Upkeep upkeep, Server server) {
    this.source = source;
    this.replica = replica;
    this.upkeep = upkeep;
    this.server = server;
  }

  /** The server could not start; the message is for people. */
  public static final class ServerFailed extends Exception {
    private static final long serialVersionUID = 1L;

    ServerFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Waits while the database is unreachable, answers 503 meanwhile, and logs this repeatedly.
   *
   * @param stop ends the wait
   * @return false when {@code stop} completed before the database answered
   */
  public static boolean awaitDatabase(
      ServerSettings settings, Consumer<String> tell, CompletableFuture<?> stop)
      throws ServerFailed {
    try {
      return new DatabaseWait(settings, tell, Machine.real().ticker()).until(stop);
    } catch (CompletionException failed) {
      throw cannotListen(settings, failed);
    }
  }

  /** Returns when the server accepts calls. */
  public static BelayServer start(ServerSettings settings) throws ServerFailed {
    var machine = Machine.real();
    ServerSettings.Database database = settings.database();
    try {
      Migrations.migrate(
          Database.forMigrations(database.jdbcUrl(), database.user(), database.password()));
    } catch (RuntimeException failed) {
      throw unusable(database, failed);
    }
    // After the migration, which ends the sessions of servers.
    HikariDataSource source = pool(settings);
    try {
      return start(settings, machine, source);
    } catch (UnsafeToken unsafe) {
      source.close();
      throw new ServerFailed(String.valueOf(unsafe.getMessage()), unsafe);
    } catch (IOException failed) {
      source.close();
      throw new ServerFailed("A file of the server cannot be used: " + failed.getMessage(), failed);
    } catch (RuntimeException | ServerFailed failed) {
      source.close();
      throw failed;
    }
  }

  private static HikariDataSource pool(ServerSettings settings) throws ServerFailed {
    ServerSettings.Database database = settings.database();
    try {
      return Database.pool(
          database.jdbcUrl(),
          database.user(),
          database.password(),
          settings.apiConnections(),
          "belay " + settings.replica(),
          EngineParts.database(settings.values()));
    } catch (RuntimeException failed) {
      throw unusable(database, failed);
    }
  }

  /** Cuts the URL at its question mark, because a password may follow. */
  private static ServerFailed unusable(ServerSettings.Database database, RuntimeException failed) {
    String url = database.jdbcUrl();
    String safe = url.replaceFirst("\\?.*", "");
    String why = DatabaseTrouble.of(failed, database.user()).replace(url, safe);
    return new ServerFailed("The database " + safe + " cannot be used: " + why + ".", failed);
  }

  private static BelayServer start(
      ServerSettings settings, Machine machine, HikariDataSource source)
      throws IOException, ServerFailed {
    Upkeep.check(settings.values());
    var tokens =
        Tokens.load(settings.files().apiToken(), settings.files().joinToken(), machine.random());
    var hooks =
        new HookKeys(
            settings.values().find(EventGroup.HOOK_DIR).orElse(null),
            machine.ticker(),
            machine.clock());
    hooks.check();
    var logs = Logs.store(settings, machine);
    var changes = new Changes();
    var expressions =
        new CelExpressions(EngineParts.expressions(settings.values()), machine.workTicker());
    var checking = Checking.of(settings.values(), machine.threads(), machine.ticker());
    var jdbi = Database.jdbi(source);
    var queues = new QueueCatalog(new PostgresQueues(jdbi), machine.ticker());
    var replica = new Replica(settings, machine, expressions, changes);
    var upkeep = new Upkeep(settings, machine, replica, jdbi, logs);
    DatabaseProbe database = upkeep.database();
    var health =
        new Health(
            settings.replica(),
            replica.leader(),
            database,
            replica.loops(),
            settings.values().of(HealthGroup.TICK_SILENCE));
    watch(replica, database);
    Logs.watch(replica.metrics(), logs);
    watch(replica, checking);
    var parts =
        new RestDependencies(
            RestStore.of(
                jdbi,
                machine.ids(),
                replica.hints(),
                replica.metrics(),
                settings.promises(),
                waits(settings, machine, jdbi, queues),
                queues),
            logs,
            expressions,
            checking,
            tokens,
            new KnownHosts(settings.host(), settings.allowedHosts()),
            hooks,
            settings.values(),
            new RestDependencies.Host(
                Version.TEXT,
                settings.edition(),
                settings.replica(),
                database::trouble,
                health::report,
                changes,
                machine.blocking(),
                machine.ticker(),
                replica.metrics()));
    replica
        .metrics()
        .watch(Metric.FEED_HELD_BACK, () -> parts.store().feed().heldBack().toMillis() / 1000.0);
    var agents =
        new AgentService(
            replica.gateway(),
            Logs.gateway(settings, machine, jdbi, logs, replica.metrics(), changes::happened),
            () ->
                new UnreadBound(
                    settings.values().of(WorkerGroup.WORKER_UNREAD_MAX),
                    settings.values().of(WorkerGroup.WORKER_UNREAD_FOR),
                    machine.ticker()),
            replica.metrics()::workerUnread);
    Server server = build(settings, parts, agents, tokens);
    try {
      listen(server, settings);
    } catch (RuntimeException | ServerFailed failed) {
      replica.disconnect();
      throw failed;
    }
    replica.start();
    upkeep.start();
    return new BelayServer(source, replica, upkeep, server);
  }

  private static WaitReads waits(
      ServerSettings settings, Machine machine, Jdbi jdbi, QueueCatalog queues) {
    return new WaitReads(
        new WaitReads.Sources(jdbi, new PostgresRouting(jdbi), queues),
        settings.values().of(EngineGroup.ROUTABLE_SILENCE),
        settings.values().of(ReapGroup.DATABASE_GAP),
        new WaitReads.Placing(
            EngineParts.placements(settings.values()),
            EngineParts.choosing(settings.values()).routing()),
        machine.ticker());
  }

  private static Server build(
      ServerSettings settings, RestDependencies parts, AgentService agents, Tokens tokens) {
    int most =
        Connections.affordable(settings.values().of(ServerGroup.CONNECTIONS_MAX), descriptors());
    var connections =
        new Connections(most, settings.values().of(ServerGroup.CONNECTIONS_PER_ADDRESS));
    connections.watch(parts.host().metrics());
    ServerBuilder builder =
        Server.builder()
            .http(new InetSocketAddress(settings.host(), settings.port()))
            .childChannelPipelineCustomizer(
                pipeline -> {
                  connections.opened(pipeline.channel());
                  FirstBytes.watch(pipeline);
                  Ending.watch(pipeline);
                })
            .pingIntervalMillis(settings.values().of(ServerGroup.PING).toMillis())
            .maxNumConnections(Connections.atAll(most, descriptors()))
            // Longer than clients keep one; otherwise it could close just as a client reuses it.
            .idleTimeout(settings.values().of(ServerGroup.IDLE_CONNECTION_MAX))
            .http2MaxStreamsPerConnection(settings.values().of(ServerGroup.STREAMS_MAX))
            .meterRegistry(parts.host().metrics().registry())
            .gracefulShutdownTimeout(Duration.ZERO, STOP_MAX);
    RestApi.install(builder, parts);
    GrpcService grpc =
        GrpcService.builder()
            .addService(agents)
            .maxRequestMessageLength(
                Math.toIntExact(settings.values().of(WorkerGroup.WORKER_MESSAGE_MAX)))
            .build();
    builder.service(grpc, delegate -> workersOnly(delegate, tokens, connections));
    builder.decorator(
        (delegate, context, request) -> counted(delegate, context, request, connections));
    return builder.build();
  }

  /** A connection with an open request is not idle. */
  private static HttpResponse counted(
      HttpService delegate,
      ServiceRequestContext context,
      HttpRequest request,
      Connections connections)
      throws Exception {
    Channel channel = context.log().partial().channel();
    if (channel != null) {
      connections.began(channel);
      var _ = context.log().whenComplete().thenRun(() -> connections.ended(channel));
    }
    return delegate.serve(context, request);
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE / 2;
  }

  /** Worker streams live as long as the worker; only a join token opens one. */
  private static HttpService workersOnly(
      HttpService delegate, Tokens tokens, Connections connections) {
    return delegate.decorate(
        (inner, context, request) -> {
          boolean joins =
              tokens
                  .caller(request.headers().get(HttpHeaderNames.AUTHORIZATION))
                  .filter(caller -> caller.may(CallPermission.JOIN))
                  .isPresent();
          Optional<HttpResponse> refusal = RestApi.refuseWorker(request, joins);
          if (refusal.isPresent()) {
            return refusal.get();
          }
          Channel channel = context.log().partial().channel();
          if (channel != null) {
            connections.ofWorker(channel);
          }
          context.clearRequestTimeout();
          context.setMaxRequestLength(0);
          return inner.serve(context, request);
        });
  }

  private static void listen(Server server, ServerSettings settings) throws ServerFailed {
    try {
      server.start().join();
    } catch (CompletionException failed) {
      throw cannotListen(settings, failed);
    }
  }

  private static void watch(Replica replica, Checking checking) {
    BelayMetrics metrics = replica.metrics();
    metrics.watchPool("plan", replica.planThreads()::gauge);
    metrics.watchPool("check_small", checking.small()::gauge);
    metrics.watchPool("check_large", checking.large()::gauge);
    metrics.watch(Metric.PLANS_STUCK, () -> replica.plans().stuck());
  }

  private static ServerFailed cannotListen(ServerSettings settings, CompletionException failed) {
    Throwable cause = failed.getCause();
    String address = settings.host() + ":" + settings.port();
    String message =
        cause instanceof BindException
            ? "The address " + address + " is in use. Choose another with --port."
            : "The server cannot listen on " + address + ": " + cause;
    return new ServerFailed(message, failed);
  }

  private static void watch(Replica replica, DatabaseProbe database) {
    BelayMetrics metrics = replica.metrics();
    metrics.watch(Metric.LEADER, () -> replica.leader().epoch().isPresent() ? 1 : 0);
    metrics.watch(Metric.LEADER_EPOCH, () -> replica.leader().epoch().map(Epoch::value).orElse(0L));
    metrics.watch(Metric.LEADER_CHANGES, () -> replica.leader().changes());
    metrics.watch(Metric.DISPATCH_QUEUE_DEPTH, () -> replica.pool().depth());
    metrics.watch(Metric.DISPATCH_AT_CAPACITY, () -> replica.pool().refusals());
    metrics.watch(Metric.RESULTS_WAITING, () -> replica.results().depth());
    metrics.watch(Metric.WORKER_STREAMS, () -> replica.gateway().size());
    replica.workers().watch(metrics);
    metrics.watch(Metric.WORKERS_SET_ASIDE, replica::setAside);
    metrics.watch(Metric.DATABASE_UP, () -> database.isAnswering() ? 1 : 0);
    metrics.watch(Metric.SCHEMA_NEWER, () -> database.isSchemaNewer() ? 1 : 0);
    metrics.watch(Metric.LOOP_RESTARTS, () -> replica.loops().restarts());
    metrics.watch(
        Metric.LOOPS_UNWELL,
        () -> replica.loops().statuses().stream().filter(status -> !status.isWell()).count());
    metrics.watch(Metric.THREADS, () -> ManagementFactory.getThreadMXBean().getThreadCount());
  }

  public int port() {
    return server.activeLocalPort();
  }

  /** Steps down and hands over its workers; changes no task. */
  @Override
  public void close() {
    replica.stepDown();
    upkeep.close();
    replica.close();
    // The port is free and calls have ended long before the event loops finish their quiet period.
    CompletableFuture<?> stopped =
        server
            .stop()
            .exceptionally(
                failed -> {
                  log.atWarn().setCause(failed).log("the server did not stop well");
                  return null;
                });
    CompletableFuture<?> longEnough =
        new CompletableFuture<>().completeOnTimeout("", STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture.anyOf(stopped, longEnough).join();
    source.close();
  }
}
