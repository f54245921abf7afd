package dev.belay.domain.schedule;

/** How instants repeat. */
public sealed interface Recurrence permits Cron, Every, At {}
