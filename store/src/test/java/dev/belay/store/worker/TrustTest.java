package dev.belay.store.worker;

import static dev.belay.store.fixture.LiveStore.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.trust.SetAside.Others;
import dev.belay.domain.trust.TrustSettings;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.TrustStore.Look;
import dev.belay.engine.port.TrustStore.Suspect;
import dev.belay.engine.result.Results;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.WorkerEvent.Execution;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.store.Sql;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.read.Page;
import dev.belay.store.read.Reads;
import dev.belay.store.read.WaitReads;
import dev.belay.store.read.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrustTest {

  private static final TrustSettings SETTINGS =
      new TrustSettings(4, Duration.ofSeconds(5), Duration.ofMinutes(1));

  private final LiveStore store = new LiveStore();
  private final PostgresTrust trust =
      new PostgresTrust(store.jdbi(), SETTINGS, LiveStore.SILENCE, Meters.NONE);
  private final WorkerTrust people =
      new WorkerTrust(store.jdbi(), store.rows().hints(), Meters.NONE);
  private Peer bad = store.newWorker();
  private Peer good = store.newWorker();

  @BeforeEach
  void clear() {
    store.clear();
    bad = store.newWorker();
    good = store.newWorker();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void what_a_worker_says_about_itself_is_stored_and_listed() {
    var offer =
        new Offer(
            List.of("default"),
            4,
            Map.of("zone", "a"),
            Set.of("gpu"),
            new Offer.Resources(1L << 34, 1_500));
    var profile = new WorkerHello.Profile("w", offer, "1", "linux");
    var peer = store.restarted(bad);
    store.workers.register(new WorkerHello(peer, LiveStore.KEY, 2_000, 1_000, profile), "r1");
    var fresh = listed(peer);
    assertThat(fresh.capabilities()).containsExactly("gpu");
    assertThat(fresh.labels().text()).isEqualTo("{\"zone\": \"a\"}");
    assertThat(fresh.memoryBytes()).isEqualTo(1L << 34);
    assertThat(fresh.cpuMillis()).isEqualTo(1_500);
    assertThat(fresh.freeSlots()).as("before its first heartbeat").isNull();

    store.workers.touch(peer, new Load(1, List.of(), 2, 1, 12.5, 80.0, ""));
    var busy = listed(peer);
    assertThat(busy.freeSlots()).isEqualTo(1);
    assertThat(busy.cpuPercent()).isEqualTo(12.5f);
    assertThat(busy.gpuPercent()).isEqualTo(80f);
    assertThat(text("SELECT CAST(withheld_slots AS text) FROM worker WHERE id = ?", peer))
        .isEqualTo("1");
    store.workers.touch(peer, new Load(2, List.of(), 2, 2, 12.5, null, ""));
    assertThat(listed(peer).gpuPercent()).as("no longer known").isNull();

    var older = listed(good);
    assertThat(older.capabilities()).isEmpty();
    assertThat(older.memoryBytes()).isNull();
    assertThat(older.cpuMillis()).isNull();
  }

  /** A heartbeat must touch no index, although one has conditions on columns of its table. */
  @Test
  void heartbeats_stay_hot() {
    var jdbi = store.jdbi();
    String counts =
        jdbi.inTransaction(
            handle -> {
              // The session may not have told its earlier updates yet.
              long hot = updates(handle, "hot_updated");
              long all = updates(handle, "updated");
              for (int i = 1; i <= 3; i++) {
                handle
                    .createQuery(Sql.named("worker/touch_worker"))
                    .bind("worker", bad.worker().value())
                    .bind("session", bad.session().value())
                    .bind("connection", bad.connection())
                    .bind("number", i)
                    .bindArray("preparing", UUID.class)
                    .bind("active", 0)
                    .bind("free_slots", i % 4)
                    .bind("cpu_percent", (double) i)
                    .bind("gpu_percent", (Double) (double) i)
                    .bind("trouble", "")
                    .mapTo(String.class)
                    .one();
              }
              return (updates(handle, "hot_updated") - hot)
                  + " of "
                  + (updates(handle, "updated") - all);
            });
    assertThat(counts).isEqualTo("3 of 3");
  }

  private static long updates(Handle handle, String which) {
    return handle
        .createQuery(
            "SELECT pg_stat_get_xact_tuples_"
                + which
                + "(oid) FROM pg_class WHERE oid = CAST('worker' AS regclass)")
        .mapTo(Long.class)
        .one();
  }

  @Test
  void attempts_that_failed_by_themselves_are_told_and_others_are_not() {
    var exited = claim(bad);
    var neverStarted = claim(bad);
    var timedOut = claim(bad);
    var refused = claim(bad);
    Results.Written written =
        store.results.write(
            List.of(
                store.exited(bad, exited, 1),
                store.ended(
                    bad, neverStarted, new Outcome.StartFailed("no such file"), Execution.UNKNOWN),
                store.ended(
                    bad, timedOut, new Outcome.TimedOut(Duration.ofSeconds(1)), Execution.UNKNOWN),
                store.refused(bad, refused)));
    assertThat(written.failed()).containsExactlyInAnyOrder(exited, neverStarted);
    var good = claim(bad);
    assertThat(store.results.write(List.of(store.exited(bad, good, 0))).failed()).isEmpty();
  }

  @Test
  void attempt_that_a_person_ended_is_no_failure_of_its_worker() {
    var dispatch = claim(bad);
    store.steering.cancelTask(store.taskOf(dispatch), "me");
    assertThat(store.results.write(List.of(store.exited(bad, dispatch, 1))).failed()).isEmpty();
  }

  @Test
  void suspect_is_set_aside_once_with_an_alert_and_gets_no_work() {
    trust.note(bad.worker(), bad.session(), 0, 3);
    assertThat(trust.look(10)).isEqualTo(new Look(List.of(), 0));
    trust.note(bad.worker(), bad.session(), 0, 5);
    var suspect = new Suspect(bad.worker(), bad.session(), "w", 5);
    assertThat(trust.look(10)).isEqualTo(new Look(List.of(suspect), 0));
    assertThat(trust.countOthers(bad.worker())).isEqualTo(new Others(1, 0, 0));
    assertThat(trust.countOthers(good.worker())).isEqualTo(new Others(0, 1, 0));

    assertThat(trust.setAside(store.epoch(), suspect, "5 failed")).isTrue();
    assertThat(trust.setAside(store.epoch(), suspect, "5 failed")).as("once").isFalse();
    assertThat(store.rows().text("SELECT string_agg(kind || ' ' || detail, '; ') FROM alert"))
        .isEqualTo(
            "worker_set_aside worker w is set aside: 5 failed. It gets no new work until `belay"
                + " workers trust w`. (id "
                + bad.worker()
                + ")");
    assertThat(trust.look(10)).isEqualTo(new Look(List.of(), 1));
    assertThat(listed(bad).setAsideReason()).isEqualTo("5 failed");
    assertThat(store.takingWork()).extracting(each -> each.id()).containsExactly(good.worker());
    var task = store.submit(RETRIES);
    assertThat(
            store.claim(
                store.epoch(),
                bad,
                List.of(new Claim(task, new DispatchId(store.ids().next()), 0))))
        .as("also not by a leader that read the workers before")
        .isEmpty();
  }

  @Test
  void task_that_waits_names_the_worker_that_is_set_aside() {
    setAside();
    store.workers.markDisconnected(good, true);
    var task = store.submit(RETRIES);
    store.rows().run("UPDATE leadership SET leader = 'r1'");
    store
        .rows()
        .run(
            "INSERT INTO replica (name, seen_at, writing_since) VALUES ('r1', belay_now(),"
                + " belay_now()) ON CONFLICT (name) DO UPDATE SET seen_at = belay_now()");
    var waits =
        new WaitReads(
            store.waitSources(),
            LiveStore.SILENCE,
            Duration.ofMinutes(1),
            WaitReads.Placing.DEFAULT,
            () -> 0);
    assertThat(waits.ofTask(task.value()).orElseThrow().detail())
        .startsWith("no worker of pool default takes work")
        .contains("1 set_aside");
  }

  @Test
  void neither_a_deposed_leader_nor_an_older_session_nor_a_worker_that_succeeded_is_believed() {
    var suspect = new Suspect(bad.worker(), bad.session(), "w", 5);
    trust.note(bad.worker(), bad.session(), 0, 5);
    var epoch = store.epoch();
    assertThatThrownBy(() -> trust.setAside(new Epoch(epoch.value() + 1), suspect, "x"))
        .isInstanceOf(Deposed.class);
    trust.note(bad.worker(), bad.session(), 0, 0);
    assertThat(trust.setAside(epoch, suspect, "x")).isFalse();
    trust.note(bad.worker(), bad.session(), 0, 5);
    var restarted = store.restarted(bad);
    store.register(restarted, 2_000);
    assertThat(trust.setAside(epoch, suspect, "x")).isFalse();
    assertThat(trust.note(bad.worker(), bad.session(), 0, 5)).isFalse();
    assertThat(trust.look(10)).as("a new process starts anew").isEqualTo(new Look(List.of(), 0));
    assertThat(store.rows().text("SELECT count(*) || '' FROM alert")).isEqualTo("0");
  }

  @Test
  void failures_of_long_ago_make_no_suspect() {
    trust.note(bad.worker(), bad.session(), 0, 5);
    store
        .rows()
        .run(
            "UPDATE worker SET failed_at = failed_at - interval '2 min' WHERE failed_at IS NOT"
                + " NULL");
    assertThat(trust.look(10)).isEqualTo(new Look(List.of(), 0));
    assertThat(trust.countOthers(good.worker())).isEqualTo(new Others(1, 0, 0));
  }

  @Test
  void worker_that_is_set_aside_stays_so_after_a_restart_until_a_person_trusts_it() {
    setAside();
    var restarted = store.restarted(bad);
    store.register(restarted, 2_000);
    assertThat(trust.note(restarted.worker(), restarted.session(), 0, 2)).isFalse();
    assertThat(listed(bad).setAsideAt()).isNotNull();

    assertThat(people.trust(bad.worker(), "ann")).isEqualTo(WorkerTrust.Answer.TRUSTED);
    assertThat(people.trust(bad.worker(), "ann")).isEqualTo(WorkerTrust.Answer.NOT_SET_ASIDE);
    assertThat(listed(bad).setAsideAt()).isNull();
    assertThat(trust.look(10)).isEqualTo(new Look(List.of(), 0));
    assertThat(trust.note(restarted.worker(), restarted.session(), 5, 6))
        .as("a replica that still counts on")
        .isFalse();
    assertThat(trust.note(restarted.worker(), restarted.session(), 0, 2)).isTrue();
    assertThat(trust.note(restarted.worker(), restarted.session(), 2, 3)).isTrue();
    assertThat(store.takingWork()).hasSize(2);
    assertThat(store.rows().text("SELECT detail FROM alert ORDER BY id DESC LIMIT 1"))
        .contains("worker w is trusted again, by ann. It was set aside at ", " UTC: 5 failed.");
    var unknown = store.restarted(bad).session().value();
    assertThat(people.trust(new WorkerId(unknown), "ann")).isEqualTo(WorkerTrust.Answer.NOT_FOUND);
  }

  @Test
  void worker_that_is_set_aside_again_for_the_same_reason_is_an_alert_again() {
    for (int i = 0; i < 2; i++) {
      setAside();
      assertThat(people.trust(bad.worker(), "ann")).isEqualTo(WorkerTrust.Answer.TRUSTED);
    }
    assertThat(store.rows().text("SELECT string_agg(kind, ' ' ORDER BY id) FROM alert"))
        .isEqualTo("worker_set_aside worker_trusted worker_set_aside worker_trusted");
  }

  private void setAside() {
    trust.note(bad.worker(), bad.session(), 0, 5);
    trust.setAside(store.epoch(), new Suspect(bad.worker(), bad.session(), "w", 5), "5 failed");
  }

  private DispatchId claim(Peer peer) {
    return store.claim(peer, store.submit(RETRIES));
  }

  private Worker listed(Peer peer) {
    return new Reads(store.jdbi())
        .workers(new Page.Window(null, 100)).items().stream()
            .filter(one -> one.id().equals(peer.worker().value()))
            .findFirst()
            .orElseThrow();
  }

  private String text(String query, Peer peer) {
    return store.rows().text(query.replace("?", "'" + peer.worker() + "'"));
  }
}
