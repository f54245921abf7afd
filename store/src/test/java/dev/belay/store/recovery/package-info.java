@NullMarked
package dev.belay.store.recovery;

import org.jspecify.annotations.NullMarked;
