package dev.belay.buildtools.violations.benchmarks;

import dev.belay.buildtools.violations.fuzz.FuzzUsesAbove;

/** Depends on a module that benchmarks must not know. */
public record BenchmarksUsesAbove(FuzzUsesAbove above) {}
