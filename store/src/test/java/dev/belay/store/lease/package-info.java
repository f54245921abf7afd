@NullMarked
package dev.belay.store.lease;

import org.jspecify.annotations.NullMarked;
