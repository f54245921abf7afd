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
 * A PostgreSQL server that is started again whenever it ends by itself, until it is closed: same
 * folder, port and password, so that clients only have to connect again. At once, then after pauses
 * that double; only a database that is no more ends the trying.
 */
public final class SupervisedPostgres implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SupervisedPostgres.class);

  static final Duration PAUSE_MIN = Duration.ofSeconds(1);
  static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  /** A server that lived for less has not recovered: the pauses go on growing. */
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
   * @param onStart told of each server, the first one included; on the caller's thread, then on the
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

  /** Completes with a reason for people when there is nothing left to start. */
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
   * @param failures starts that were of no use before
   * @return starts of no use so far, the one that succeeded included until it proves steady;
   *     negative when none will be
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
        // whatever it was: without another try nobody would start it again
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

  /** Whoever cannot be told must not cost us the next restart. */
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

  /** Ends the server in order, and the keeping. */
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
