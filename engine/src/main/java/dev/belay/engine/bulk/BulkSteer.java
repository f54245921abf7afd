package dev.belay.engine.bulk;

import dev.belay.domain.bulk.BulkState;

/** The answer to a request to cancel a bulk operation. */
public sealed interface BulkSteer {

  /** It changes nothing any more. */
  record Cancelled() implements BulkSteer {}

  /** It had already ended. */
  record AlreadyOver(BulkState state) implements BulkSteer {}

  record NotFound() implements BulkSteer {}
}
