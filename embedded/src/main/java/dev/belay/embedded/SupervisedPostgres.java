package dev.belay.embedded;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server that restarts whenever it ends unexpectedly, until it is closed. Folder, port
 * and password stay the same, so clients only reconnect. The first restart is immediate, later ones
 * wait twice as long each; it gives up only when the database no longer exists.
 */
public final class SupervisedPostgres implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SupervisedPostgres.class);

  static final Duration PAUSE_MIN = Duration.ofSeconds(1);
  static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  /** A server that ran for less has not recovered: the pauses keep growing. */
  static final Duration STEADY = Duration.ofMinutes(1);

  private final SecureRandom random;
  private final LongSupplier ticker;
  private final Consumer<EmbeddedPostgres> onStart;
  private final CompletableFuture<String> gone = new CompletableFuture<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread keeper;
  private volatile EmbeddedPostgres server;

  private SupervisedPostgres(
      EmbeddedPostgres server,
      SecureRandom random,
      LongSupplier ticker,
      Consumer<EmbeddedPostgres> onStart) {
    this.server = server;
    this.random = random;
    this.ticker = ticker;
    this.onStart = onStart;
    this.keeper =
        Thread.ofPlatform().daemon().name("postgres-keeper-" + server.port()).unstarted(this::keep);
  }

  /**
   * @param onStart receives each server, including the first; on the caller's thread, then on the
   *     keeper's
   */
  public static SupervisedPostgres start(
      EmbeddedSettings settings,
      SecureRandom random,
      LongSupplier ticker,
      Consumer<EmbeddedPostgres> onStart)
      throws EmbeddedPostgresFailed {
    var first = EmbeddedPostgres.start(settings, random, ticker);
    try {
      onStart.accept(first);
    } catch (RuntimeException unwanted) {
      first.close();
      throw unwanted;
    }
    var kept = new SupervisedPostgres(first, random, ticker, onStart);
    kept.keeper.start();
    return kept;
  }

  public String jdbcUrl() {
    return server.jdbcUrl();
  }

  public String user() {
    return server.user();
  }

  public String password() {
    return server.password();
  }

  /** Completes with a reason for people when no database is left to start. */
  public CompletionStage<String> onGone() {
    return gone.minimalCompletionStage();
  }

  private void keep() {
    int failures = 0;
    try {
      while (true) {
        long startedAt = ticker.getAsLong();
        int status = server.onExit().toCompletableFuture().get();
        if (closing.getCount() == 0) {
          return;
        }
        log.atError()
            .addKeyValue("pid", server.pid())
            .addKeyValue("status", status)
            .log("PostgreSQL ended by itself and is started again");
        boolean steady = ticker.getAsLong() - startedAt > STEADY.toNanos();
        failures = startAgain(steady ? 0 : failures);
        if (failures < 0) {
          return;
        }
      }
    } catch (InterruptedException closed) {
      log.atDebug().log("PostgreSQL is kept no more");
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * @param failures earlier unsuccessful starts
   * @return unsuccessful starts so far, including a successful one until it proves steady; negative
   *     when it gives up
   */
  private int startAgain(int failures) throws InterruptedException {
    for (int tried = failures; ; tried++) {
      if (closing.await(pause(tried).toMillis(), TimeUnit.MILLISECONDS)) {
        return -1;
      }
      if (!server.hasData()) {
        gone.complete("PostgreSQL ended by itself, and its database is gone.");
        return -1;
      }
      try {
        server = server.again(random);
        tell();
        return tried + 1;
      } catch (EmbeddedPostgresFailed | RuntimeException | OutOfMemoryError failed) {
        // any failure: without another try, nothing would restart the server
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        log.atError()
            .addKeyValue("try", tried + 1)
            .addKeyValue("nextAfter", pause(tried + 1))
            .addKeyValue("why", failed.getMessage())
            .log("PostgreSQL could not be started again");
      }
    }
  }

  /** A failing listener must not prevent the next restart. */
  private void tell() {
    try {
      onStart.accept(server);
    } catch (RuntimeException failed) {
      log.atError().setCause(failed).log("the new start of PostgreSQL could not be told");
    }
  }

  static Duration pause(int failures) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    var doubled = PAUSE_MIN.multipliedBy(1L << Math.min(failures - 1, 10));
    return doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
  }

  /** Shuts the server down and stops the supervision. */
  @Override
  public void close() {
    closing.countDown();
    keeper.interrupt();
    boolean interrupted = false;
    try {
      keeper.join();
    } catch (InterruptedException now) {
      interrupted = true;
    }
    server.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
