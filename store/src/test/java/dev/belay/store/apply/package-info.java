@NullMarked
package dev.belay.store.apply;

import org.jspecify.annotations.NullMarked;
