package dev.belay.buildtools.violations.embedded;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that embedded must not know. */
public record EmbeddedUsesAbove(CliUsesAbove above) {}
