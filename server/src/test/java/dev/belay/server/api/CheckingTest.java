package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.auth.CallerIdentity;
import dev.belay.settings.ProcessKind;
import dev.belay.settings.Settings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Computation has its own few threads with a bounded queue. */
@Timeout(30)
class CheckingTest {
  private static final int SMALL = 100;
  private static final int LARGE = 1_000_000;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final Call call = call();

  @AfterEach
  void letGo() {
    end.countDown();
  }

  @Test
  void small_work_does_not_wait_behind_large_work() throws Exception {
    var checking = checking(1, 60_000);
    CompletableFuture<String> large = inBackground(checking, LARGE);
    begun.await();
    assertThat(checking.call(call, SMALL, () -> "small")).isEqualTo("small");
    end.countDown();
    assertThat(large.join()).isEqualTo("done");
  }

  @Test
  void work_without_room_is_refused_with_a_time_to_come_back() throws Exception {
    var checking = checking(1, 60_000);
    CompletableFuture<String> runs = inBackground(checking, LARGE);
    begun.await();
    CompletableFuture<String> waits =
        CompletableFuture.supplyAsync(() -> checking.call(call, LARGE, () -> "waited"));
    while (checking.large().gauge().waiting() == 0) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> checking.call(call, LARGE, () -> "never"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              var answer = refused.problem().response();
              assertThat(answer.status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
              assertThat(answer.headers().get("retry-after")).isNotNull();
            });
    end.countDown();
    assertThat(runs.join()).isEqualTo("done");
    assertThat(waits.join()).isEqualTo("waited");
  }

  @Test
  void work_that_is_too_late_is_not_begun() throws Exception {
    var checking = checking(1, 50);
    var done = new AtomicBoolean();
    checking.large().offer(this::block);
    begun.await();
    assertThatThrownBy(
            () ->
                checking.call(
                    call,
                    LARGE,
                    () -> {
                      done.set(true);
                      return "never";
                    }))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("nothing was done");
    end.countDown();
    assertThat(checking(1, 60_000).call(call, SMALL, () -> "after")).isEqualTo("after");
    assertThat(checking.large().gauge().waiting()).isZero();
    assertThat(done).isFalse();
  }

  @Test
  void a_refusal_of_the_work_is_its_own() {
    assertThatThrownBy(
            () ->
                checking(1, 60_000)
                    .call(
                        call,
                        SMALL,
                        () -> {
                          throw new Refused(HttpStatus.BAD_REQUEST, "no");
                        }))
        .isInstanceOf(Refused.class)
        .hasMessage("no");
  }

  private CompletableFuture<String> inBackground(Checking checking, int bytes) {
    return CompletableFuture.supplyAsync(
        () ->
            checking.call(
                call,
                bytes,
                () -> {
                  block();
                  return "done";
                }));
  }

  /** Like a loop that ignores interrupts. */
  private void block() {
    begun.countDown();
    boolean ended = false;
    while (!ended) {
      try {
        end.await();
        ended = true;
      } catch (InterruptedException unheard) {
        // continues
      }
    }
  }

  private static Checking checking(int queue, long millis) {
    return Checking.of(
        Settings.of(
            ProcessKind.LITE,
            "check-threads=1",
            "check-queue=" + queue,
            "check-max=" + millis + "ms"),
        Thread.ofPlatform().daemon().factory(),
        System::nanoTime);
  }

  private static Call call() {
    var request = HttpRequest.of(HttpMethod.POST, "/");
    return new Call(
        ServiceRequestContext.of(request),
        request,
        CallerIdentity.ANYBODY,
        new byte[0],
        new Budget(1 << 20, 1 << 10));
  }
}
