package dev.belay.buildtools.violations.simulation;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that simulation must not know. */
public record SimulationUsesAbove(CliUsesAbove above) {}
