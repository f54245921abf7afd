package dev.belay.domain.settle;

/** How often a task was tried again, by what had ended the attempts. */
public record Tries(int errors, int losses, int crashes) {}
