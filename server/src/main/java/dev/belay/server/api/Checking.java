package dev.belay.server.api;

import dev.belay.engine.loop.Background.Ticket;
import dev.belay.engine.loop.WorkPool;
import dev.belay.settings.ExpressionGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.settings.Settings;
import dev.belay.workflow.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs the parsing, checks and expressions of client input. The rest of the API waits for the
 * database or the network on virtual threads, which are not preempted while they compute. So
 * computation gets its own platform threads, fewer than processors, with a queue: some for small
 * input, so an ordinary submit does not wait behind a huge file, and some for the rest.
 */
public final class Checking {

  private final WorkPool small;
  private final WorkPool large;
  private final long smallMax;
  private final Duration patience;

  private Checking(WorkPool small, WorkPool large, long smallMax, Duration patience) {
    this.small = small;
    this.large = large;
    this.smallMax = smallMax;
    this.patience = patience;
  }

  /**
   * @param threads daemon platform threads
   * @param ticker monotonic nanoseconds
   */
  public static Checking of(Settings settings, ThreadFactory threads, LongSupplier ticker) {
    var size =
        new WorkPool.Size(
            settings.of(RequestGroup.CHECK_THREADS),
            settings.of(RequestGroup.CHECK_QUEUE),
            settings.of(ExpressionGroup.STRAY_THREADS));
    return new Checking(
        new WorkPool("check-small", size, threads, ticker),
        new WorkPool("check-large", size, threads, ticker),
        settings.of(RequestGroup.CHECK_SMALL_MAX),
        settings.of(RequestGroup.CHECK_MAX));
  }

  public WorkPool small() {
    return small;
  }

  public WorkPool large() {
    return large;
  }

  /**
   * Runs the work and waits for its result.
   *
   * @param bytes the size of the input
   * @throws Refused when there is no room, or the work takes too long
   */
  <T> T call(Call call, long bytes, Supplier<T> work) {
    return call(call, bytes <= smallMax ? small : large, work);
  }

  /** Like {@link #call}, for work that may be costly even with small input. */
  <T> T callApart(Call call, Supplier<T> work) {
    return call(call, large, work);
  }

  private <T> T call(Call call, WorkPool pool, Supplier<T> work) {
    var answer = new CompletableFuture<T>();
    Ticket ticket =
        pool.offer(() -> answer(call, work, answer))
            .orElseThrow(
                () ->
                    busy("The server has too many files and submits to check; nothing was done."));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      ticket.abandon();
      throw busy(
          "Checking this took more than %s; nothing was done. Make it smaller, or try again when the server has less to do."
              .formatted(Durations.format(patience)));
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException plain
          ? plain
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopping) {
      ticket.abandon();
      Thread.currentThread().interrupt();
      throw busy("The server is stopping; try again in a moment.");
    }
  }

  private static <T> void answer(Call call, Supplier<T> work, CompletableFuture<T> answer) {
    try {
      if (call.isGone()) {
        throw busy("The caller has hung up.");
      }
      answer.complete(work.get());
    } catch (Throwable failed) { // any failure: the caller waits for an answer
      answer.completeExceptionally(failed);
    }
  }

  private static Refused busy(String detail) {
    return new Refused(Problem.busy(detail));
  }
}
