package dev.belay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.engine.port.Meters;
import dev.belay.engine.queue.QueueCatalog;
import dev.belay.store.CommitClaim.Answer;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.queue.PostgresQueues;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(30)
class CommitClaimTest {

  private static final NewTask TASK =
      new NewTask("default", "t", 50, "default", "{}", "{}", false, null);

  private final StoreFixture store = new StoreFixture();
  private final TaskIntake tasks =
      new TaskIntake(
          store.jdbi(),
          store.ids(),
          store.hints(),
          new QueueCatalog(new PostgresQueues(store.jdbi()), System::nanoTime),
          Meters.NONE);
  private final WorkflowIntake workflows =
      new WorkflowIntake(store.jdbi(), store.ids(), store.hints());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_request_that_was_answered_while_it_waited_for_a_lock_stores_nothing() throws Exception {
    for (Runnable write : List.<Runnable>of(this::submit, this::register)) {
      var claim = new CommitClaim();
      var locked = new CountDownLatch(1);
      var letGo = new CountDownLatch(1);
      var blocker =
          async(
              () ->
                  store
                      .jdbi()
                      .useTransaction(
                          handle -> {
                            handle.execute("LOCK TABLE task, workflow IN EXCLUSIVE MODE");
                            locked.countDown();
                            await(letGo);
                          }));
      locked.await();
      var request =
          async(
              () ->
                  claim.during(
                      () -> {
                        write.run();
                        return "stored";
                      }));
      while (waiting() == 0 && !request.isDone()) {
        Thread.onSpinWait();
      }
      assertThat(claim.answer()).isEqualTo(Answer.REFUSED);
      letGo.countDown();
      blocker.join();
      assertThatThrownBy(request::join)
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(CommitClaim.TooLate.class);
      assertThat(store.stored()).isZero();
    }
  }

  @Test
  void a_request_that_committed_first_is_never_answered_as_refused() {
    var claim = new CommitClaim();
    claim.during(
        () -> {
          submit();
          return "stored";
        });
    assertThat(claim.isUnknown()).isFalse();
    assertThat(claim.answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(store.stored()).isPositive();
  }

  @Test
  void a_commit_that_the_database_did_not_confirm_is_unknown() {
    var claim = new CommitClaim();
    assertThatThrownBy(
            () ->
                claim.during(
                    () ->
                        store
                            .jdbi()
                            .inTransaction(
                                handle -> {
                                  long pid =
                                      handle
                                          .createQuery("SELECT pg_backend_pid()")
                                          .mapTo(Long.class)
                                          .one();
                                  // On this thread, it would use the same session.
                                  async(() -> end(pid)).join();
                                  return pid;
                                })))
        .as("the commit fails, not what comes before")
        .hasStackTraceContaining("ClaimedTransactions.commit");
    assertThat(claim.isUnknown()).isTrue();
    assertThat(claim.answer()).isEqualTo(Answer.UNKNOWN);
  }

  @Test
  void a_transaction_that_the_database_gave_up_may_claim_again() {
    var claim = new CommitClaim();
    claim.claim();
    claim.rolledBack();
    claim.claim();
    claim.committed();
    assertThat(claim.isUnknown()).isFalse();
  }

  private void submit() {
    tasks.submit(List.of(new Batch(null, List.of(TASK))), "me");
  }

  private void register() {
    workflows.register(new NewWorkflow("default", "w", 1, "{}", "name: w"), "me");
  }

  private long waiting() {
    return store
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation"
                            + " WHERE NOT l.granted AND c.relname IN ('task', 'workflow')")
                    .mapTo(Long.class)
                    .one());
  }

  private void end(long pid) {
    store
        .jdbi()
        .useHandle(
            handle ->
                handle
                    .createQuery("SELECT pg_terminate_backend(" + pid + ", 5000)")
                    .mapTo(Boolean.class)
                    .one());
  }

  /** Uses a new thread: the common pool may have only one. */
  private static CompletableFuture<Void> async(Runnable work) {
    return CompletableFuture.runAsync(work, task -> Thread.ofVirtual().start(task));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
