package dev.belay.store.intake;

/**
 * A task without a run, already validated.
 *
 * @param work what to do, as JSON
 * @param labels a JSON object
 */
public record NewTask(
    String tenant, String name, int priority, String pool, String work, String labels) {}
