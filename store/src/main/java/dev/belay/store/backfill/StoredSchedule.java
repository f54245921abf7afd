package dev.belay.store.backfill;

import dev.belay.domain.backfill.BackfillInstants;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.statement.BackfillStatements.Schedule;
import dev.belay.workflow.SpecCodec;

/** The instants of a stored backfill. */
public final class StoredSchedule {

  private StoredSchedule() {}

  /** Throws IllegalArgumentException when it cannot be read. */
  public static BackfillInstants instants(Schedule schedule) {
    if (!(SpecCodec.triggerFromJson(schedule.timing()) instanceof TriggerSpec.Timed timed)) {
      throw new IllegalArgumentException("the trigger has no times");
    }
    String name = timed.timing().calendar();
    String spec = schedule.calendar();
    DayCalendar calendar =
        name == null || spec == null ? null : SpecCodec.calendarFromJson(name, spec);
    return new BackfillInstants(
        timed.timing(), calendar, schedule.from(), schedule.to(), schedule.forward());
  }
}
