package dev.belay.server.wiring;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import dev.belay.server.ServerSettings;
import dev.belay.store.DatabaseTrouble;
import java.net.InetSocketAddress;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a database that is not up yet, as when a machine starts everything at once. Waits only
 * for temporary failures; a wrong password is not one.
 */
final class DatabaseWait {

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);
  private static final String LOGIN_SECONDS = "5";

  private final ServerSettings settings;
  private final Consumer<String> tell;
  private final LongSupplier ticker;

  DatabaseWait(ServerSettings settings, Consumer<String> tell, LongSupplier ticker) {
    this.settings = settings;
    this.tell = tell;
    this.ticker = ticker;
  }

  /**
   * False when {@code stop} completed first. Returns as soon as the database answers, even with a
   * refusal, which the start then reports.
   */
  boolean until(CompletableFuture<?> stop) {
    String reason = absence();
    if (reason == null) {
      return true;
    }
    Server face = settings.port() == 0 ? null : face();
    try {
      long told = ticker.getAsLong();
      tell(reason);
      while (true) {
        if (isOver(stop)) {
          return false;
        }
        reason = absence();
        if (reason == null) {
          return true;
        }
        if (ticker.getAsLong() - told >= TELL_EVERY.toNanos()) {
          told = ticker.getAsLong();
          tell(reason);
        }
      }
    } finally {
      if (face != null) {
        face.stop().join();
      }
    }
  }

  private void tell(String reason) {
    tell.accept(
        "Waiting for the database %s: %s. Trying again each second; Ctrl-C ends it."
            .formatted(name(), reason));
  }

  private String name() {
    return settings.database().jdbcUrl().replaceFirst("\\?.*", "");
  }

  private static boolean isOver(CompletableFuture<?> stop) {
    try {
      stop.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Why the database does not answer; null when it does. */
  private @Nullable String absence() {
    ServerSettings.Database database = settings.database();
    var properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("connectTimeout", LOGIN_SECONDS);
    properties.setProperty("loginTimeout", LOGIN_SECONDS);
    properties.setProperty("socketTimeout", LOGIN_SECONDS);
    try (var _ = DriverManager.getConnection(database.jdbcUrl(), properties)) {
      return null;
    } catch (SQLException failed) {
      return passes(failed) ? DatabaseTrouble.of(failed, database.user()) : null;
    }
  }

  /** Connection failures, a server that is starting or stopping, and too many connections. */
  static boolean passes(SQLException failed) {
    String state = failed.getSQLState() == null ? "" : failed.getSQLState();
    // A URL that no driver understands has the SQL state of a failed connection.
    if (String.valueOf(failed.getMessage()).startsWith("No suitable driver")) {
      return false;
    }
    return state.startsWith("08") || state.startsWith("57P0") || state.startsWith("53");
  }

  /** Answers for the server meanwhile: a monitor sees a waiting server, not a dead one. */
  private Server face() {
    String body =
        "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
            + "\"detail\":\"The server waits for its database.\",\"errors\":[]}";
    ResponseHeaders headers =
        ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
            .contentType(MediaType.parse("application/problem+json"))
            .set("retry-after", "1")
            .build();
    Server server =
        Server.builder()
            .http(new InetSocketAddress(settings.host(), settings.port()))
            .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
            .serviceUnder(
                "/", (context, request) -> HttpResponse.of(headers, HttpData.ofUtf8(body)))
            .build();
    server.start().join();
    return server;
  }
}
