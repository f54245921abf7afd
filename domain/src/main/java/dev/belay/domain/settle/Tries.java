package dev.belay.domain.settle;

/**
 * How often a task has been tried.
 *
 * @param attempt the number of its current attempt, over all generations
 * @param errors retries used after errors; the others likewise
 */
public record Tries(
    int attempt, int errors, int losses, int crashes, int unavailables, int dispatchFailures) {}
