package dev.belay.engine.port;

/** One leadership. A write that carries an older epoch than the database's cannot commit. */
public record Epoch(long value) {}
