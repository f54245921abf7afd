package dev.belay.store.deadletter;

import static dev.belay.store.fixture.LiveStore.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.bulk.BulkTarget;
import dev.belay.domain.id.BulkId;
import dev.belay.domain.id.DeadLetterId;
import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.RetryCondition;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.settle.StartBackoff;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.bulk.BulkMeters;
import dev.belay.engine.bulk.BulkPhase;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.deadletter.LetterRetry;
import dev.belay.engine.deadletter.LetterRetry.Answer;
import dev.belay.engine.port.DeadLettered;
import dev.belay.engine.port.Meters;
import dev.belay.engine.result.ResultWriter;
import dev.belay.engine.statement.DeadLetterStatements.Retried;
import dev.belay.engine.steer.TaskSteering.Request;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerEvent.Execution;
import dev.belay.store.bulk.BulkSql.NewBulk;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.fixture.Planning;
import dev.belay.store.fixture.Race;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.BulkIntake;
import dev.belay.store.intake.NewTask;
import dev.belay.store.intake.Submission;
import dev.belay.store.intake.TaskIntake;
import dev.belay.store.read.DeadLetter;
import dev.belay.store.read.Page.Window;
import dev.belay.store.read.Reads;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What Belay gives up is kept whole, found again, retried once and removed by age. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLettersTest {

  private static final Outcome DOWN = new Outcome.Refused("no resources: error 24");
  private static final DeadLetter.Filter ANY =
      new DeadLetter.Filter("default", null, null, null, null, null, null);

  private final LiveStore store = new LiveStore();
  private final Planning planning = new Planning(store);
  private final Reads reads = new Reads(store.jdbi());
  private final TaskIntake intake =
      new TaskIntake(store.jdbi(), store.ids(), store.rows().hints(), store.queues, Meters.NONE);
  private final LetterRetry retrying =
      new LetterRetry(store.transactions, store.taskSteering, store.ids(), store.rows().hints());

  private Answer retry(UUID letter, String actor) {
    return retrying.retry(new DeadLetterId(letter), actor);
  }

  /** Gives a task up after the second failure of an executor. */
  private final ResultWriter results = results(false);

  private ResultWriter results(boolean alsoFailed) {
    var start = new StartBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, 2);
    var usual = RetryDecision.Waits.DEFAULT;
    return new ResultWriter(
        store.transactions,
        new RetryDecision(
            new Random(1),
            new RetryDecision.Waits(usual.crash(), usual.unavailable(), usual.refused(), start),
            RetryCondition.NONE),
        Promises.DEFAULT,
        new DeadLetters(store.ids(), alsoFailed));
  }

  @BeforeEach
  void clear() {
    store.clear();
    store.rows().run("DELETE FROM bulk_operation");
  }

  @AfterAll
  void close() {
    store.close();
  }

  private TaskId submit(NewTask task) {
    var stored = (Submission.Accepted) intake.submit(List.of(new Batch(null, List.of(task))), "me");
    return new TaskId(stored.ids().getFirst());
  }

  private static NewTask wanted(String name, @Nullable Duration deadline) {
    var work = new Work(List.of("true"), null, Map.of("A", "b"), RunPolicy.DEFAULT);
    return new NewTask(
        "default", name, 77, POOL, SpecCodec.workToJson(work), "{\"team\": null}", false, deadline);
  }

  private List<DeadLettered> end(ResultWriter writer, TaskId task, Outcome outcome) {
    Peer peer = store.newWorker();
    DispatchId dispatch = store.claim(peer, task);
    WorkerEvent ended = store.ended(peer, dispatch, outcome, Execution.UNKNOWN);
    return writer.write(List.of(ended)).effects().deadLetters();
  }

  /** Its executor is down twice. */
  private UUID givenUp(TaskId task) {
    assertThat(end(results, task, DOWN)).isEmpty();
    store.rows().run("UPDATE task SET not_before = NULL WHERE id = '" + task + "'");
    assertThat(end(results, task, DOWN)).hasSize(1);
    assertThat(store.task(task)).isEqualTo("FAILED dispatch_failed: no resources: error 24");
    return letterOf(task).id();
  }

  private DeadLetter letterOf(TaskId task) {
    return reads.deadLetters(ANY, new Window(null, 100)).items().stream()
        .filter(letter -> letter.task().equals(task.value()))
        .findFirst()
        .orElseThrow();
  }

  private DeadLetter letter(UUID id) {
    return reads.deadLetter(id).orElseThrow().letter();
  }

  @Test
  void a_task_that_no_worker_can_start_is_given_up_with_its_whole_request() {
    var task = submit(wanted("report", Duration.ofMinutes(5)));
    var letter = reads.deadLetter(givenUp(task)).orElseThrow();
    assertThat(letter.letter())
        .extracting(DeadLetter::reason, DeadLetter::detail, DeadLetter::attempts)
        .containsExactly("dispatch_failed", "no resources: error 24", 2L);
    assertThat(letter.letter())
        .extracting(DeadLetter::name, DeadLetter::pool, DeadLetter::run, DeadLetter::retries)
        .containsExactly("report", POOL, null, 0);
    assertThat(letter.request().text())
        .contains("\"name\" : \"report\", \"priority\" : 77", "\"deadline_ms\" : 300000")
        .contains("\"labels\" : {\"team\": null}", "\"argv\":[\"true\"],\"env\":{\"A\":\"b\"}");
    assertThat(store.task(task, "dispatch_failed_count")).isEqualTo("1");
  }

  @Test
  void a_failed_task_has_a_dead_letter_only_when_that_is_wanted_and_it_has_no_run() {
    assertThat(end(results(false), submit(wanted("a", null)), new Outcome.Exited(3, 0))).isEmpty();
    var task = submit(wanted("a", null));
    assertThat(end(results(true), task, new Outcome.Exited(3, 0)))
        .extracting(one -> one.task() + " " + one.reason())
        .containsExactly(task + " FAILED");
    assertThat(letterOf(task).detail()).isEqualTo("exit_code: 3");
    assertThat(end(results(true), submit(wanted("a", null)), new Outcome.Exited(0, 0))).isEmpty();
    assertThat(end(results(true), runningRun(), new Outcome.Exited(3, 0))).isEmpty();
  }

  @Test
  void what_a_person_marks_as_failed_is_no_dead_letter() {
    var task = submit(wanted("a", null));
    Peer peer = store.newWorker();
    DispatchId dispatch = store.claim(peer, task);
    store.taskSteering.mark(new Request(task, "", "ann"), TaskState.FAILED);
    var ended = store.ended(peer, dispatch, new Outcome.Exited(9, 0), Execution.UNKNOWN);
    assertThat(results(true).write(List.of(ended)).effects().deadLetters()).isEmpty();
    assertThat(store.task(task)).startsWith("FAILED marked_failed");
  }

  private TaskId runningRun() {
    planning.register(
        "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [y], depends_on: [a]}]");
    RunId run = planning.trigger("w", 1).getFirst();
    planning.plan();
    return planning.task(run, "a");
  }

  @Test
  void a_retry_is_the_same_request_again_and_linked_both_ways() {
    var task = submit(wanted("report", Duration.ofMinutes(5)));
    UUID first = givenUp(task);
    store.rows().hinted().clear();
    var again = ((Answer.Submitted) retry(first, "ann")).task().value();
    assertThat(store.rows().hinted()).containsExactly("workReady []");
    assertThat(
            store.task(
                new TaskId(again),
                "concat_ws(' ', state, name, priority, pool, deadline_at - created_at, queue_id ="
                    + " (SELECT"
                    + " queue_id FROM task WHERE id = '%s'))".formatted(task)))
        .isEqualTo("SCHEDULED report 77 default 00:05:00 t");
    assertThat(reads.history(again))
        .extracting(step -> step.to() + " " + step.reason() + " " + step.actor())
        .containsExactly("SCHEDULED retried: dead letter " + first + " ann");
    assertThat(payload(again)).isEqualTo(payload(task.value()));
    assertThat(letter(first))
        .extracting(DeadLetter::retriedAs, DeadLetter::retriedBy)
        .containsExactly(again, "ann");
    var second = letter(givenUp(new TaskId(again)));
    assertThat(second)
        .extracting(DeadLetter::retryOf, DeadLetter::retries, DeadLetter::fingerprint)
        .containsExactly(first, 1, letter(first).fingerprint());
    assertThat(reads.openDeadLetters(100)).isEqualTo(Map.of("dispatch_failed", 1L));
  }

  private String payload(UUID task) {
    return store
        .rows()
        .text("SELECT work::text || labels::text FROM task_payload WHERE task_id = '" + task + "'");
  }

  @Test
  void a_retry_is_not_refused_by_the_limits_of_the_tenant_but_counts_for_the_next_submit() {
    UUID letter = givenUp(submit(wanted("report", null)));
    store
        .rows()
        .run(
            "INSERT INTO tenant (name, weight, max_waiting, declared_in, version, changed_at,"
                + " changed_by) VALUES ('default', 1, 1, 'API', 1, belay_now(), 'me')",
            "INSERT INTO tenant_intake VALUES ('default', 0, belay_now() - interval '1 min', 0,"
                + " belay_now())");
    try {
      submit(wanted("fills", null));
      assertThat(retry(letter, "ann")).isInstanceOf(Answer.Submitted.class);
      store
          .rows()
          .run("UPDATE task SET state = 'CANCELLED', ended_at = belay_now() WHERE name = 'fills'");
      store.rows().run("UPDATE tenant_intake SET counted_at = counted_at - interval '1 min'");
      assertThat(intake.submit(List.of(new Batch(null, List.of(wanted("next", null)))), "me"))
          .isInstanceOf(Submission.Limited.class);
    } finally {
      store.rows().run("DELETE FROM tenant_intake", "DELETE FROM tenant");
    }
  }

  @Test
  void two_retries_at_once_make_one_task() {
    UUID letter = givenUp(submit(wanted("a", null)));
    try (var race =
        new Race(
            store.rows(), "SELECT 1 FROM dead_letter WHERE id = '" + letter + "' FOR UPDATE")) {
      var first = race.next(() -> retry(letter, "ann"));
      var second = race.next(() -> retry(letter, "bob"));
      race.release();
      var task = ((Answer.Submitted) Race.result(first)).task();
      assertThat(((Answer.Already) Race.result(second)).by())
          .extracting(Retried::as, Retried::by)
          .containsExactly(task, "ann");
    }
    assertThat(store.rows().count("task")).isEqualTo(2);
    assertThat(retry(store.ids().next(), "ann")).isEqualTo(new Answer.NotFound());
  }

  @Test
  void a_task_of_a_run_shows_its_run_and_runs_again_there() {
    TaskId task = runningRun();
    UUID letter = givenUp(task);
    var found = reads.deadLetter(letter).orElseThrow();
    assertThat(found.request().text())
        .contains("\"workflow\" : \"w\", \"version\" : 1, \"task\" : \"a\"", "\"params\" : {}");
    var run = Objects.requireNonNull(found.letter().run());
    assertThat(retry(letter, "ann")).isEqualTo(new Answer.Reopened(task, new RunId(run)));
    assertThat(retry(letter, "bob")).isInstanceOf(Answer.Already.class);
    assertThat(letter(letter))
        .extracting(DeadLetter::retriedAs, DeadLetter::retriedBy)
        .containsExactly(task.value(), "ann");
    planning.plan();
    assertThat(store.task(task, "dispatch_failed_count")).isEqualTo("0");
    assertThat(letter(givenUp(task)))
        .extracting(DeadLetter::retryOf, DeadLetter::retries, DeadLetter::task)
        .containsExactly(letter, 1, task.value());
  }

  @Test
  void letters_are_listed_by_their_facts_and_grouped_by_their_cause() {
    UUID first = givenUp(submit(wanted("a", null)));
    UUID second = givenUp(submit(wanted("b", null)));
    UUID third = givenUp(runningRun());
    var failed = submit(wanted("c", null));
    end(results(true), failed, new Outcome.Exited(3, 0));
    retry(first, "ann");
    assertThat(listed(ANY)).containsExactly(letterOf(failed).id(), third, second, first);
    assertThat(listed(filter("reason", "failed"))).containsExactly(letterOf(failed).id());
    assertThat(listed(filter("workflow", "w"))).containsExactly(third);
    assertThat(listed(filter("topic", "x"))).isEmpty();
    assertThat(listed(new DeadLetter.Filter("other", null, null, null, null, null, null)))
        .isEmpty();
    assertThat(listed(filter("fingerprint", letter(first).fingerprint())))
        .containsExactly(third, second, first);
    assertThat(
            listed(
                new DeadLetter.Filter("default", null, null, null, null, LiveStore.FAR_AWAY, null)))
        .isEmpty();
    assertThat(listed(new DeadLetter.Filter("default", null, null, null, null, null, false)))
        .containsExactly(first);
    var page = reads.deadLetters(ANY, new Window(null, 3));
    assertThat(reads.deadLetters(ANY, new Window(page.next(), 3)).items())
        .extracting(DeadLetter::id)
        .containsExactly(first);
    assertThat(reads.deadLetterGroups(ANY, 10))
        .extracting(group -> group.count() + " " + group.open() + " " + group.cause())
        .containsExactly("1 1 exit_code: 3", "3 2 no resources: error <n>");
    assertThat(reads.deadLetterGroups(ANY, 10).getLast().newest()).isEqualTo(third);
  }

  private List<UUID> listed(DeadLetter.Filter filter) {
    return reads.deadLetters(filter, new Window(null, 100)).items().stream()
        .map(DeadLetter::id)
        .toList();
  }

  private static DeadLetter.Filter filter(String field, String value) {
    return new DeadLetter.Filter(
        "default",
        field.equals("reason") ? value : null,
        field.equals("topic") ? value : null,
        field.equals("workflow") ? value : null,
        field.equals("fingerprint") ? value : null,
        null,
        null);
  }

  @Test
  void letters_that_match_a_filter_are_retried_once_each_by_a_bulk_operation() {
    UUID first = givenUp(submit(wanted("a", null)));
    UUID inRun = givenUp(runningRun());
    UUID before = givenUp(submit(wanted("a", null)));
    retry(before, "bob");
    var failed = submit(wanted("c", null));
    end(results(true), failed, new Outcome.Exited(3, 0));
    var filter =
        new BulkFilter(
            "default",
            new TreeSet<>(List.of("OPEN")),
            null,
            null,
            null,
            null,
            Map.of(),
            null,
            null,
            new BulkFilter.Letters("dispatch_failed", null, letter(first).fingerprint()));
    var bulks = new BulkIntake(store.jdbi(), store.rows().hints());
    assertThat(bulks.preview(BulkTarget.DEAD_LETTERS, filter, bulks.now()).matches()).isEqualTo(2);
    var wanted =
        new NewBulk(
            new BulkId(store.ids().next()),
            BulkKind.RETRY_DEAD_LETTERS,
            filter,
            null,
            "",
            null,
            "{}");
    bulks.start(wanted, null, "ann", 10);
    UUID later = givenUp(submit(wanted("a", null)));
    var phase =
        new BulkPhase(
            store.transactions,
            new BulkPhase.Parts(
                store.taskSteering::graphOf,
                store.ids(),
                store.rows().hints(),
                Meters.NONE,
                BulkMeters.NONE),
            new BulkPhase.Settings(10, 100, 10, Duration.ofSeconds(1)),
            () -> Optional.of(store.epoch()));
    while (phase.runOnce().isZero()) {
      // until nothing is left to do at once
    }
    assertThat(
            store.rows().text("SELECT concat_ws(' ', state, changed, refused) FROM bulk_operation"))
        .isEqualTo("DONE 2 0");
    assertThat(List.of(letter(first), letter(inRun)))
        .extracting(DeadLetter::retriedBy)
        .containsExactly("ann", "ann");
    assertThat(letter(before).retriedBy()).isEqualTo("bob");
    assertThat(letter(later).retriedAs()).isNull();
    assertThat(letterOf(failed).retriedAs()).isNull();
    assertThat(letter(inRun).retriedAs()).isEqualTo(letter(inRun).task());
    assertThat(store.task(new TaskId(Objects.requireNonNull(letter(first).retriedAs()))))
        .isEqualTo("SCHEDULED retried: dead letter " + first);
  }

  @Test
  void old_letters_are_counted_and_removed_in_batches() {
    for (int i = 0; i < 3; i++) {
      givenUp(submit(wanted("a", null)));
    }
    var old = new OldLetters(store.jdbi());
    assertThat(old.count(Duration.ofDays(30)).letters()).isZero();
    store.rows().run("UPDATE dead_letter SET created_at = created_at - interval '31 days'");
    UUID young = givenUp(submit(wanted("a", null)));
    assertThat(old.count(Duration.ofDays(30))).isEqualTo(new OldLetters.Count(3, 3));
    assertThat(old.remove(Duration.ofDays(30), 2)).isEqualTo(new OldLetters.Count(2, 2));
    assertThat(old.remove(Duration.ofDays(30), 2)).isEqualTo(new OldLetters.Count(1, 1));
    assertThat(listed(ANY)).containsExactly(young);
  }
}
