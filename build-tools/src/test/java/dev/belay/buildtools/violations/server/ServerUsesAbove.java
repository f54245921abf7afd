package dev.belay.buildtools.violations.server;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that server must not know. */
public record ServerUsesAbove(CliUsesAbove above) {}
