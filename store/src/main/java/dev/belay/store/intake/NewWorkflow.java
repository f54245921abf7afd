package dev.belay.store.intake;

import dev.belay.store.schedule.TriggerNeeds;

/**
 * A valid workflow file.
 *
 * @param spec as JSON; equal meanings have equal text
 * @param source the file as its author wrote it
 * @param needs what its triggers need from outside
 */
public record NewWorkflow(
    String tenant, String name, int taskCount, String spec, String source, TriggerNeeds needs) {

  /** One whose triggers need nothing. */
  public NewWorkflow(String tenant, String name, int taskCount, String spec, String source) {
    this(tenant, name, taskCount, spec, source, TriggerNeeds.NONE);
  }
}
