package dev.belay.buildtools.violations.protocol;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that protocol must not know. */
public record ProtocolUsesAbove(CliUsesAbove above) {}
