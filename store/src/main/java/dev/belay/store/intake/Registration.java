package dev.belay.store.intake;

import java.util.UUID;

/**
 * The workflow version that a register call stored or found.
 *
 * @param created false when the latest version already had the same spec
 * @param restored the workflow was deleted before
 */
public record Registration(UUID id, int version, boolean created, boolean restored) {}
