package dev.belay.simulation.contract;

import org.junit.jupiter.api.AfterEach;

/** Tests of one writer. Each has an empty store. */
abstract class Contract {

  final Stage stage;

  Contract(Ground ground) {
    this.stage = ground.open();
  }

  @AfterEach
  void nothing_is_odd() {
    stage.close();
  }
}
