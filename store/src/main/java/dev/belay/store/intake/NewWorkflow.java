package dev.belay.store.intake;

/**
 * A valid workflow file.
 *
 * @param spec as JSON; the same text for the same meaning
 * @param source the file as its author wrote it
 */
public record NewWorkflow(String tenant, String name, int taskCount, String spec, String source) {}
