package dev.belay.engine.port;

/** The number of a leadership. A write with an older epoch than the database's cannot commit. */
public record Epoch(long value) {}
