package dev.belay.buildtools.violations.store;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that store must not know. */
public record StoreUsesAbove(CliUsesAbove above) {}
