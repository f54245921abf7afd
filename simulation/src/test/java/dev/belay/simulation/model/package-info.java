/** What the store in memory promises of statements, locks and guards. */
@NullMarked
package dev.belay.simulation.model;

import org.jspecify.annotations.NullMarked;
