@NullMarked
package dev.belay.store.deadletter;

import org.jspecify.annotations.NullMarked;
