package dev.belay.simulation.model;

import java.time.Instant;

/** A row of the table rate_bucket. */
record BucketRow(double tokens, int held, Instant filledAt) {}
