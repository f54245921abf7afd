package dev.belay.buildtools.violations.engine;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that engine must not know. */
public record EngineUsesAbove(CliUsesAbove above) {}
