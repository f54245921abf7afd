@NullMarked
package dev.belay.store.intake;

import org.jspecify.annotations.NullMarked;
