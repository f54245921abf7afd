package dev.belay.cli.run;

import java.time.Duration;
import java.time.Instant;

/**
 * The server does not answer, so the picture is old.
 *
 * @param why in a few words, with the server
 * @param lasts since the last answer
 * @param knownAt when the last answer came, by this machine's clock
 */
record ServerSilence(String why, Duration lasts, Instant knownAt) {}
