package dev.belay.simulation.contract;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** A kind of store, on which the contract is tested. */
interface Ground {

  /** An empty store, which one test has for itself. */
  Stage open();

  /** Plays a scene with one race in it in every way in which two can race here. */
  void inEveryWay(Consumer<Stage> scene);

  /** Lets two write at the same time. */
  interface Racing {
    <A, B> Raced<A, B> race(Contended at, Supplier<A> first, Supplier<B> second);
  }
}
