package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.linecorp.armeria.server.Server;
import dev.belay.domain.reap.Promises;
import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.server.auth.HookKeys;
import dev.belay.server.auth.KnownHosts;
import dev.belay.server.auth.Tokens;
import dev.belay.server.health.HealthReport;
import dev.belay.server.logs.LogDisk;
import dev.belay.server.logs.LogStore;
import dev.belay.server.metrics.BelayMetrics;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.queue.PostgresQueues;
import dev.belay.store.read.WaitReads;
import dev.belay.store.system.PostgresRouting;
import dev.belay.workflow.CelExpressions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** The API on a free loopback port over a real database, and a client with its token. */
final class ApiFixture implements AutoCloseable {

  static final JsonMapper JSON = JsonMapper.builder().build();

  final StoreFixture store = new StoreFixture(Clock.systemUTC().millis());
  final AtomicBoolean ready = new AtomicBoolean(true);
  private final AtomicLong later = new AtomicLong();
  final AtomicReference<HealthReport> health =
      new AtomicReference<>(report(HealthReport.Status.HEALTHY));
  final BelayMetrics metrics = new BelayMetrics();
  final Changes changes = new Changes();
  final Waiting waiting = new Waiting(changes, 1_000, System::nanoTime);
  final LogStore logs;
  final String token;
  final String joinToken;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Server server;

  ApiFixture(Path folder, String... given) {
    var settings =
        Settings.of(
            ProcessKind.LITE,
            Stream.concat(Stream.of("wait-max=20s"), Stream.of(given)).toArray(String[]::new));
    try {
      var tokens = Tokens.load(folder.resolve("token"), folder.resolve("join"), new SecureRandom());
      token = Files.readString(folder.resolve("token")).strip();
      joinToken = Files.readString(folder.resolve("join")).strip();
      logs =
          new LogStore(
              folder.resolve("logs"),
              new LogStore.Bounds(1 << 20, Duration.ofDays(14), 100),
              Clock.systemUTC(),
              new LogDisk(folder, Long.MAX_VALUE, 0, System::nanoTime));
      var queues = new QueueCatalog(new PostgresQueues(store.jdbi()), System::nanoTime);
      var builder =
          Server.builder().http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      RestApi.install(
          builder,
          new RestDependencies(
              RestStore.of(
                  store.jdbi(),
                  store.ids(),
                  store.hints(),
                  Meters.NONE,
                  Promises.DEFAULT,
                  // Each read is a second later, so no test sees facts cached by another.
                  new WaitReads(
                      new WaitReads.Sources(
                          store.jdbi(), new PostgresRouting(store.jdbi()), queues),
                      Duration.ofSeconds(30),
                      Duration.ofSeconds(10),
                      WaitReads.Placing.DEFAULT,
                      () -> later.addAndGet(1_000_000_000L)),
                  queues),
              logs,
              new CelExpressions(),
              Checking.of(settings, Thread.ofPlatform().daemon().factory(), System::nanoTime),
              tokens,
              new KnownHosts("127.0.0.1", java.util.List.of("belay.example")),
              new HookKeys(
                  folder.resolve("hooks"),
                  () -> later.addAndGet(10_000_000_000L),
                  Clock.systemUTC()),
              settings,
              new RestDependencies.Host(
                  "0.1",
                  "LITE",
                  "r1",
                  () -> ready.get() ? Optional.empty() : Optional.of("The database is away."),
                  () -> health.get(),
                  changes,
                  threads,
                  System::nanoTime,
                  metrics)),
          waiting);
      server = builder.build();
      server.start().join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static HealthReport report(HealthReport.Status status) {
    return new HealthReport(
        status,
        "r1",
        new HealthReport.Scheduler(status, "leader", 5L),
        new HealthReport.Database(status, 7, null),
        new HealthReport.Leader(true, "r1", 3L),
        Map.of("tick", new HealthReport.LoopHealth(status, true, false, 5, 0)));
  }

  int port() {
    return server.activeLocalPort();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
        .header("Authorization", "Bearer " + token);
  }

  HttpRequest.Builder anonymous(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
  }

  Answer send(HttpRequest.Builder request) {
    try {
      return new Answer(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  HttpClient client() {
    return client;
  }

  Answer fetch(String path) {
    return send(request(path));
  }

  Answer post(String path, String body, String... headers) {
    var request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request);
  }

  Answer postYaml(String path, String yaml) {
    return send(
        request(path)
            .header("Content-Type", "application/yaml")
            .POST(BodyPublishers.ofString(yaml)));
  }

  @Override
  public void close() {
    server.stop().join();
    threads.shutdownNow();
    client.shutdownNow();
    store.close();
  }

  /** An answer and its JSON. */
  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String text() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (IOException e) {
        throw new UncheckedIOException(response.body(), e);
      }
    }
  }
}
