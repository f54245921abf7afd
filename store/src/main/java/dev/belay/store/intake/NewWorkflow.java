package dev.belay.store.intake;

/**
 * A valid workflow file.
 *
 * @param spec as JSON; equal meanings have equal text
 * @param source the file as its author wrote it
 */
public record NewWorkflow(String tenant, String name, int taskCount, String spec, String source) {}
