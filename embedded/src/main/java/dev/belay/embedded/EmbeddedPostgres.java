package dev.belay.embedded;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running PostgreSQL server that ends with this JVM, even after kill -9.
 *
 * <p>It holds its data folder until {@link #close}. After an unexpected {@link #onExit} it can
 * start {@link #again}; {@link SupervisedPostgres} does so automatically.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  static final String USER = "belay";

  /** The address of the ready server. */
  record Address(int port, String password) {
    String jdbcUrl() {
      return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }
  }

  private final EmbeddedSettings settings;
  private final DataFolder folder;
  private final Watchdog watchdog;
  private final ProcessHandle server;
  private final Address address;
  private final LongSupplier ticker;
  private final CompletableFuture<Integer> exit;
  private boolean closed;

  EmbeddedPostgres(
      EmbeddedSettings settings,
      DataFolder folder,
      Watchdog watchdog,
      ProcessHandle server,
      Address address,
      LongSupplier ticker) {
    this.settings = settings;
    this.folder = folder;
    this.watchdog = watchdog;
    this.server = server;
    this.address = address;
    this.ticker = ticker;
    this.exit = watchdog.onExit();
    Thread.ofPlatform().daemon().name("postgres-" + address.port()).start(this::watch);
  }

  /**
   * @param random creates the password
   * @param ticker monotonic nanoseconds
   */
  public static EmbeddedPostgres start(
      EmbeddedSettings settings, SecureRandom random, LongSupplier ticker)
      throws EmbeddedPostgresFailed {
    return new ServerStart(settings, random, ticker).run();
  }

  /**
   * Whether the server will run as another user, who then needs access to its folders: this process
   * is root, and this machine cannot give only PostgreSQL a different effective user.
   */
  public static boolean needsOtherUser() throws InterruptedException {
    return RunAs.needsOtherUser();
  }

  /** The database {@code postgres}, without user and password. */
  public String jdbcUrl() {
    return address.jdbcUrl();
  }

  public String user() {
    return USER;
  }

  public String password() {
    return address.password();
  }

  public int port() {
    return address.port();
  }

  /** The pid of the postmaster. */
  public long pid() {
    return server.pid();
  }

  public boolean isAlive() {
    return !exit.isDone();
  }

  /** Completes with the server's exit status when it ends for any reason. */
  public CompletionStage<Integer> onExit() {
    return exit.minimalCompletionStage();
  }

  /** Whether a database exists on which a server could start. */
  boolean hasData() {
    return folder.hasData();
  }

  /**
   * Starts another server on the same folder, port and password after this one ended. On success it
   * replaces this object; on failure nothing changes.
   */
  synchronized EmbeddedPostgres again(SecureRandom random) throws EmbeddedPostgresFailed {
    if (closed) {
      throw new IllegalStateException("it was closed");
    }
    var next =
        new ServerStart(settings.withPort(port()), random, ticker)
            .again(folder, watchdog, password());
    closed = true;
    return next;
  }

  private void watch() {
    ServerLog serverLog = new ServerLog(folder.log(), settings.logBytesMax());
    try {
      while (!watchdog.awaitExit(LOOK_EVERY)) {
        trim(serverLog);
        if (!watchdog.listens()) {
          log.atError().addKeyValue("server", server.pid()).log("PostgreSQL's watchdog died");
          server.destroyForcibly();
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    // The watchdog's reader may have survived: end of file makes it end the server.
    if (!watchdog.isAlive()) {
      watchdog.cutOff();
    }
  }

  private static void trim(ServerLog serverLog) {
    try {
      serverLog.trim();
    } catch (IOException failed) {
      log.atWarn().setCause(failed).log("PostgreSQL's log cannot be bounded");
    }
  }

  /** Shuts the server down, and kills it after the stop timeout. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = false;
    try {
      watchdog.askForFastShutdown();
      if (!watchdog.awaitExit(settings.stopTimeout())) {
        log.atWarn().addKeyValue("server", server.pid()).log("PostgreSQL did not stop in time");
      }
    } catch (InterruptedException now) {
      interrupted = true;
    }
    try {
      ServerStart.end(watchdog, folder, settings, ticker);
    } catch (InterruptedException now) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
