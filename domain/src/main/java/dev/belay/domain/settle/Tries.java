package dev.belay.domain.settle;

/** How many retries a task has used, by what ended the attempts. */
public record Tries(int errors, int losses, int crashes) {}
