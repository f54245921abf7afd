package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A plan, and somebody else who writes about the same run or workflow. */
abstract class RunRaceContract extends RaceContract {

  RunRaceContract(Ground ground) {
    super(ground);
  }

  @Test
  void move_behind_a_cancel_is_lost_and_planned_again() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var task = stage.runs.task(run, "b");
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.task(task), () -> stage.cancel(task), intent::apply);
          assertThat(raced.second().lostMoves()).isEqualTo(1);
          assertThat(stage.path(task)).containsExactly("WAITING created", "CANCELLED cancelled");
          assertThat(stage.runs.marked()).contains(run);
          stage.runs.plan();
          assertThat(stage.path(run)).endsWith("FAILED");
        });
  }

  @Test
  void cancel_behind_a_move_cancels() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var task = stage.runs.task(run, "b");
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.task(task), intent::apply, () -> stage.cancel(task));
          assertThat(raced.first().lostMoves()).isZero();
          assertThat(stage.path(task)).endsWith("SCHEDULED ready", "CANCELLED cancelled");
          stage.runs.plan();
          assertThat(stage.path(run)).endsWith("FAILED");
        });
  }

  /** The planner saw the run as wanted; the wish that came meanwhile has a mark of its own. */
  @Test
  void cancel_of_a_run_in_the_middle_of_its_start_is_not_forgotten() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.workflows().onlyBySecond(),
                  () -> stage.runs.cancel(run),
                  intent::apply);
          assertThat(raced.second().effects().created()).isEqualTo(2);
          assertThat(stage.runs.marked()).containsExactly(run);
          stage.runs.plan();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "CANCELLED");
        });
  }

  @Test
  void mark_that_comes_in_the_middle_of_a_plan_stays() {
    inEveryWay(
        stage -> {
          stage.runs.register(
              "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x]},"
                  + " {name: c, command: [x], depends_on: [a]}]");
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var last = stage.claimed(stage.newWorker(), stage.runs.task(run, "b"));
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.task(stage.runs.task(run, "c")).onlyBySecond(),
                  () -> stage.heartbeat(last.exitedAtOnce(0)),
                  intent::apply);
          assertThat(raced.first()).containsExactly(Answer.APPLIED);
          assertThat(raced.second().lostMoves()).isZero();
          assertThat(stage.runs.marked()).containsExactly(run);
          stage.runs.finish(run, "c", 0);
          stage.runs.plan();
          assertThat(stage.path(run)).endsWith("SUCCEEDED");
        });
  }

  @Test
  void of_two_plans_that_start_a_run_one_does() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.trigger();
          var first = stage.runs.intend(run);
          var second = stage.runs.intend(run);
          var raced = stage.race(Contended.workflows(), first::apply, second::apply);
          assertThat(raced.first().effects().created()).isEqualTo(2);
          assertThat(raced.second().effects().created()).isZero();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING");
          assertThat(stage.observed.taskChangesAfter(0)).hasSize(2);
        });
  }

  @Test
  void of_two_plans_that_end_a_run_one_does() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 0);
          var first = stage.runs.intend(run);
          var second = stage.runs.intend(run);
          var raced = stage.race(Contended.workflows(), first::apply, second::apply);
          assertThat(raced.first().ended()).containsKey(run);
          assertThat(raced.second().ended()).isEmpty();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "SUCCEEDED");
        });
  }

  @Test
  void of_two_plans_for_the_last_place_one_starts_its_run() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{max_active: 1}");
          var runs = stage.runs.trigger(2);
          var first = stage.runs.intend(runs.get(0));
          var second = stage.runs.intend(runs.get(1));
          var raced = stage.race(Contended.workflows(), first::apply, second::apply);
          assertThat(raced.first().effects().created()).isEqualTo(1);
          assertThat(raced.second().effects().created()).isZero();
          assertThat(stage.runs.states(runs)).containsExactly(RunState.RUNNING, RunState.QUEUED);
          stage.runs.finish(runs.get(0), "a", 0);
          stage.runs.plan();
          assertThat(stage.runs.state(runs.get(1))).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void plan_behind_a_pause_holds_the_run() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.workflows(), stage.runs::pause, intent::apply);
          assertThat(raced.second().effects().created()).isZero();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.QUEUED);
          assertThat(stage.runs.marked()).isEmpty();
          stage.runs.resume();
          assertThat(stage.runs.marked()).containsExactly(run);
        });
  }

  @Test
  void pause_behind_a_plan_stops_the_next_one() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.workflows(), intent::apply, stage.runs::pause);
          assertThat(raced.first().effects().created()).isEqualTo(1);
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
          assertThat(stage.runs.state(stage.runs.started())).isEqualTo(RunState.QUEUED);
        });
  }

  @Test
  void plan_before_a_resume_holds_the_run_and_the_resume_lets_it_go() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          stage.runs.pause();
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          stage.race(Contended.workflows(), intent::apply, stage.runs::resume).second();
          assertThat(stage.runs.marked()).containsExactly(run);
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void plan_behind_a_resume_starts_the_run() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          stage.runs.pause();
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.workflows(), stage.runs::resume, intent::apply);
          assertThat(raced.second().effects().created()).isEqualTo(1);
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void plan_behind_a_higher_limit_starts_by_it() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{max_active: 1}");
          stage.runs.started();
          var run = stage.runs.trigger();
          var intent = stage.runs.intend(run);
          stage
              .race(
                  Contended.workflows(),
                  () -> {
                    stage.runs.registerOne("{max_active: 2}");
                    return true;
                  },
                  intent::apply)
              .second();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void end_of_a_run_behind_a_plan_that_is_held_by_it_lets_it_go() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{max_active: 1}");
          var active = stage.runs.started();
          stage.runs.finish(active, "a", 0);
          var waiting = stage.runs.trigger();
          var start = stage.runs.intend(waiting);
          var end = stage.runs.intend(active);
          var raced = stage.race(Contended.workflows(), start::apply, end::apply);
          assertThat(raced.first().effects().created()).isZero();
          assertThat(raced.second().released()).isEqualTo(1);
          assertThat(stage.runs.marked()).containsExactly(waiting);
        });
  }

  @Test
  void late_plan_does_not_end_a_run_that_is_retried() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 1);
          var late = stage.runs.intend(run);
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.FAILED);
          var raced = stage.race(Contended.run(run), () -> stage.intake.retryRun(run), late::apply);
          assertThat(raced.first()).isTrue();
          assertThat(raced.second().ended()).isEmpty();
          assertThat(stage.path(run)).containsExactly("QUEUED", "RUNNING", "FAILED", "QUEUED");
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  /** The run looked open, or still is: then there is nothing to retry yet. */
  @Test
  void retry_in_the_middle_of_the_plan_that_ends_the_run_is_refused() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 1);
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(Contended.run(run), intent::apply, () -> stage.intake.retryRun(run));
          assertThat(raced.first().ended()).containsKey(run);
          assertThat(raced.second()).isFalse();
          assertThat(stage.intake.retryRun(run)).isTrue();
        });
  }

  @Test
  void of_two_retries_one_is_done() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          stage.runs.finish(run, "a", 1);
          stage.runs.plan();
          var raced =
              stage.race(
                  Contended.run(run),
                  () -> stage.intake.retryRun(run),
                  () -> stage.intake.retryRun(run));
          assertThat(raced.first()).isTrue();
          assertThat(raced.second()).isFalse();
          assertThat(stage.path(run)).hasSize(4);
          assertThat(stage.path(stage.runs.task(run, "a"))).endsWith("WAITING retried").hasSize(5);
        });
  }

  @Test
  void deposed_leader_plans_nothing() {
    inEveryWay(
        stage -> {
          stage.runs.registerChain();
          var run = stage.runs.trigger();
          var old = stage.election("r1");
          var next = stage.election("r2");
          stage.epoch = old.campaign().orElseThrow();
          old.resign();
          var intent = stage.runs.intend(run);
          var raced = stage.race(Contended.epochLock(), next::campaign, intent::apply);
          assertThat(raced.first()).isPresent();
          assertThat(raced.secondFailure()).isNotNull();
          assertThat(stage.path(run)).containsExactly("QUEUED");
          assertThat(stage.runs.marked()).containsExactly(run);
          stage.epoch = raced.first().orElseThrow();
          stage.runs.plan();
          assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
        });
  }

  @Test
  void same_key_twice_at_a_time_is_the_same_tasks() {
    inEveryWay(
        stage -> {
          var tasks = List.of(wanted(RETRIES, POOL, 50, null), wanted(RETRIES, POOL, 50, null));
          var raced =
              stage.race(
                  Contended.keys(),
                  () -> stage.intake.submit("k", tasks),
                  () -> stage.intake.submit("k", tasks));
          assertThat(raced.first()).hasSize(2);
          assertThat(raced.second()).isEqualTo(raced.first());
          assertThat(stage.observed.taskChangesAfter(0)).hasSize(2);
        });
  }

  @Test
  void same_key_twice_at_a_time_is_the_same_run() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var raced =
              stage.race(
                  Contended.keys(),
                  () -> stage.intake.trigger("k", "w"),
                  () -> stage.intake.trigger("k", "w"));
          assertThat(raced.second()).isEqualTo(raced.first());
          assertThat(stage.runs.marked()).containsExactly(raced.first());
        });
  }

  @Test
  void cancelled_run_behind_the_claim_of_its_task_asks_the_worker() {
    inEveryWay(
        stage -> {
          stage.runs.registerOne("{}");
          var run = stage.runs.started();
          var worker = stage.newWorker();
          var claim = stage.claimOf(stage.runs.task(run, "a"));
          stage.runs.cancel(run);
          var intent = stage.runs.intend(run);
          var raced =
              stage.race(
                  Contended.task(claim.task()), () -> stage.claim(worker, claim), intent::apply);
          assertThat(raced.first()).containsExactly(claim.task());
          assertThat(raced.second().lostMoves()).isEqualTo(1);
          assertThat(raced.second().ended()).isEmpty();
          assertThat(stage.state(claim.task())).isEqualTo(TaskState.DISPATCHED);
          stage.runs.plan();
          assertThat(stage.abortReason(new Dispatched(claim.task(), claim.dispatch(), worker)))
              .isEqualTo("cancelled");
        });
  }
}
