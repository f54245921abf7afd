/** Tests of how results are written. */
@NullMarked
package dev.belay.store.result;

import org.jspecify.annotations.NullMarked;
