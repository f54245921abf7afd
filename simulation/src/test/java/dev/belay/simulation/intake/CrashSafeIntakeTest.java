package dev.belay.simulation.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.simulation.fault.Faults;
import dev.belay.simulation.intake.Inlet.Effect;
import dev.belay.store.Database;
import dev.belay.store.fixture.LiveStore;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every inlet keeps the contract of this package. */
class CrashSafeIntakeTest {

  private static final int ROUNDS = 20;
  private static final LiveStore STORE = new LiveStore();

  private final Faults faults = faults();

  private static Faults faults() {
    var pool = STORE.rows().pool();
    return new Faults(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
  }

  @AfterAll
  static void close() {
    STORE.close();
  }

  static List<Inlet<?>> inlets() {
    return List.of(
        new BulkSubmits(STORE), WorkerResults.succeeding(STORE), WorkerResults.givenUp(STORE));
  }

  @ParameterizedTest
  @MethodSource("inlets")
  <M> void a_message_takes_effect_once_at_whatever_point_a_process_dies(Inlet<M> inlet) {
    int point = 1;
    while (diesAt(inlet, point)) {
      point++;
    }
    assertThat(point).as("points at which it died").isGreaterThan(2);
  }

  /** False when the delivery was over before this point. */
  private <M> boolean diesAt(Inlet<M> inlet, int point) {
    M message = inlet.next();
    faults.arm(point);
    try {
      inlet.deliver(Database.jdbi(faults), message);
    } catch (RuntimeException failed) {
      assertThat(faults.isDead()).as("only a death fails: %s", failed).isTrue();
    }
    boolean died = faults.isDead();
    faults.disarm();
    faults.revive();
    if (died) {
      assertThat(inlet.effect(message)).isNotEqualTo(Effect.BROKEN);
    } else {
      assertThat(inlet.effect(message)).as("answered after the commit").isEqualTo(Effect.WHOLE);
    }
    Object again = inlet.deliver(STORE.jdbi(), message);
    assertThat(inlet.effect(message)).isEqualTo(Effect.WHOLE);
    assertThat(inlet.deliver(STORE.jdbi(), message)).isEqualTo(again);
    assertThat(inlet.effect(message)).isEqualTo(Effect.WHOLE);
    return died;
  }

  @ParameterizedTest
  @MethodSource("inlets")
  <M> void a_message_that_two_processes_have_at_once_takes_effect_once(Inlet<M> inlet)
      throws Exception {
    Jdbi process = STORE.jdbi();
    try (var processes = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        M message = inlet.next();
        Callable<Object> delivery = () -> inlet.deliver(process, message);
        var answers = processes.invokeAll(List.of(delivery, delivery));
        assertThat(answers.getFirst().get()).isEqualTo(answers.getLast().get());
        assertThat(inlet.effect(message)).isEqualTo(Effect.WHOLE);
      }
    }
  }
}
