package dev.belay.simulation.contract;

import java.util.function.Consumer;

/** Tests of two who write at the same time. */
abstract class RaceContract {

  private final Ground ground;

  RaceContract(Ground ground) {
    this.ground = ground;
  }

  /** Each way on a stage of its own. */
  final void inEveryWay(Consumer<Stage> scene) {
    ground.inEveryWay(scene);
  }
}
