package dev.belay.buildtools.violations.cli;

import dev.belay.buildtools.violations.simulation.SimulationUsesAbove;

/** Depends on a module that cli must not know. */
public record CliUsesAbove(SimulationUsesAbove above) {}
