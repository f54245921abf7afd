/** Tests of the statements, locks and guards of the store in memory. */
@NullMarked
package dev.belay.simulation.model;

import org.jspecify.annotations.NullMarked;
