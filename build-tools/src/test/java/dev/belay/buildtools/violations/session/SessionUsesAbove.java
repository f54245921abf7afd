package dev.belay.buildtools.violations.session;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that session must not know. */
public record SessionUsesAbove(CliUsesAbove above) {}
