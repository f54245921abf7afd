package dev.belay.buildtools.violations.fuzz;

import dev.belay.buildtools.violations.simulation.SimulationUsesAbove;

/** Depends on a module that fuzz must not know. */
public record FuzzUsesAbove(SimulationUsesAbove above) {}
