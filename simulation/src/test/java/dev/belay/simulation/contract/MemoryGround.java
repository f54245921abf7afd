package dev.belay.simulation.contract;

import dev.belay.simulation.Store;
import dev.belay.simulation.contract.Raced.Answered;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.model.LockNotAvailable;
import dev.belay.simulation.model.MemoryStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store in memory for each test. Of two who race the first acts inside the second. */
final class MemoryGround implements Ground {

  /** Statements of the longest call. */
  private static final int STATEMENTS_MAX = 100;

  @Override
  public Stage open() {
    return open(1);
  }

  private static Stage open(int statement) {
    var clock = new SteppedClock();
    var store = new MemoryStore(clock, Guards.ALL);
    return new Stage(
        store,
        clock,
        new Racing() {
          @Override
          public <A, B> Raced<A, B> race(Contended at, Supplier<A> first, Supplier<B> second) {
            return MemoryGround.race(store, statement, first, second);
          }
        });
  }

  /**
   * In the first statement of the second one, in its second statement, and so on until it has no
   * more, or holds what the first one needs: then the first one would come second.
   */
  @Override
  public void inEveryWay(Consumer<Stage> scene) {
    for (int statement = 1; statement <= STATEMENTS_MAX; statement++) {
      try (var stage = open(statement)) {
        scene.accept(stage);
      } catch (NotThatWay over) {
        if (statement == 1) {
          throw over;
        }
        return;
      } catch (RuntimeException | AssertionError failed) {
        failed.addSuppressed(new IllegalStateException("in statement " + statement));
        throw failed;
      }
    }
    throw new AssertionError("a call has no end of statements");
  }

  private static <A, B> Raced<A, B> race(
      Store store, int statement, Supplier<A> first, Supplier<B> second) {
    var left = new AtomicInteger(statement);
    var one = new AtomicReference<@Nullable Answered<A>>();
    var before =
        store.others(
            () -> {
              if (left.decrementAndGet() == 0) {
                one.set(alone(store, first));
              }
            });
    var two = Answered.by(second);
    store.others(before);
    if (two.failure() instanceof NotThatWay notThatWay) {
      throw notThatWay;
    }
    var answered = one.get();
    if (answered == null) {
      throw new NotThatWay("it has no statement " + statement);
    }
    return new Raced<>(answered, two);
  }

  private static <T> Answered<T> alone(Store store, Supplier<T> call) {
    var others = store.others(() -> {});
    var answered = Answered.by(call);
    store.others(others);
    if (answered.failure() instanceof LockNotAvailable held) {
      throw new NotThatWay(String.valueOf(held.getMessage()));
    }
    return answered;
  }

  /** The first cannot be first there. */
  private static final class NotThatWay extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotThatWay(String why) {
      super(why);
    }
  }
}
