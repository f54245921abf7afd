package dev.belay.simulation.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** PostgreSQL's store keeps the contract, and so says what it is. */
class PostgresContractTest {

  private static final PostgresGround GROUND = new PostgresGround();

  @AfterAll
  static void close() {
    GROUND.close();
  }

  @Nested
  class Claims extends ClaimContract {
    Claims() {
      super(GROUND);
    }
  }

  @Nested
  class Results extends ResultContract {
    Results() {
      super(GROUND);
    }
  }

  @Nested
  class Attempts extends AttemptContract {
    Attempts() {
      super(GROUND);
    }
  }

  @Nested
  class Workers extends WorkerContract {
    Workers() {
      super(GROUND);
    }
  }

  @Nested
  class Plans extends PlanContract {
    Plans() {
      super(GROUND);
    }
  }

  @Nested
  class ChainEnds extends ChainContract {
    ChainEnds() {
      super(GROUND);
    }
  }

  @Nested
  class Intakes extends IntakeContract {
    Intakes() {
      super(GROUND);
    }
  }

  @Nested
  class Reaps extends ReapContract {
    Reaps() {
      super(GROUND);
    }
  }

  @Nested
  class Leaders extends LeadershipContract {
    Leaders() {
      super(GROUND);
    }
  }

  @Nested
  class Timers extends TimerContract {
    Timers() {
      super(GROUND);
    }
  }

  @Nested
  class Schedules extends ScheduleContract {
    Schedules() {
      super(GROUND);
    }
  }

  @Nested
  class ScheduleClocks extends ScheduleClockContract {
    ScheduleClocks() {
      super(GROUND);
    }
  }

  @Nested
  class ScheduleRaces extends ScheduleRaceContract {
    ScheduleRaces() {
      super(GROUND);
    }
  }

  @Nested
  class Steers extends SteerContract {
    Steers() {
      super(GROUND);
    }
  }

  @Nested
  class Terminates extends TerminateContract {
    Terminates() {
      super(GROUND);
    }
  }

  @Nested
  class Promises extends PromiseContract {
    Promises() {
      super(GROUND);
    }
  }

  @Nested
  class PromiseRaces extends PromiseRaceContract {
    PromiseRaces() {
      super(GROUND);
    }
  }

  @Nested
  class DeadLetters extends DeadLetterContract {
    DeadLetters() {
      super(GROUND);
    }
  }

  @Nested
  class DeadLetterRaces extends DeadLetterRaceContract {
    DeadLetterRaces() {
      super(GROUND);
    }
  }

  @Nested
  class Limits extends LimitContract {
    Limits() {
      super(GROUND);
    }
  }

  @Nested
  class LimitRaces extends LimitRaceContract {
    LimitRaces() {
      super(GROUND);
    }
  }

  @Nested
  class TimerRaces extends TimerRaceContract {
    TimerRaces() {
      super(GROUND);
    }
  }

  @Nested
  class TerminateRaces extends TerminateRaceContract {
    TerminateRaces() {
      super(GROUND);
    }
  }

  @Nested
  class SteerRaces extends SteerRaceContract {
    SteerRaces() {
      super(GROUND);
    }
  }

  @Nested
  class Unblocks extends UnblockContract {
    Unblocks() {
      super(GROUND);
    }
  }

  @Nested
  class UnblockRaces extends UnblockRaceContract {
    UnblockRaces() {
      super(GROUND);
    }
  }

  @Nested
  class ResultRaces extends ResultRaceContract {
    ResultRaces() {
      super(GROUND);
    }
  }

  @Nested
  class ClaimRaces extends ClaimRaceContract {
    ClaimRaces() {
      super(GROUND);
    }
  }

  @Nested
  class AttemptRaces extends AttemptRaceContract {
    AttemptRaces() {
      super(GROUND);
    }
  }

  @Nested
  class RunRaces extends RunRaceContract {
    RunRaces() {
      super(GROUND);
    }
  }

  @Nested
  class Anomalies extends AnomalyContract {
    Anomalies() {
      super(GROUND);
    }
  }

  @Nested
  class Backfilling extends BackfillContract {
    Backfilling() {
      super(GROUND);
    }
  }

  @Nested
  class BackfillRaces extends BackfillRaceContract {
    BackfillRaces() {
      super(GROUND);
    }
  }
}
