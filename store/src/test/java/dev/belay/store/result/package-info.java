/** Tests of writing results. */
@NullMarked
package dev.belay.store.result;

import org.jspecify.annotations.NullMarked;
