package dev.belay.store.intake;

import java.util.UUID;

/**
 * A workflow as it stands after a register.
 *
 * @param created false when the latest version had the same spec already
 */
public record Registration(UUID id, int version, boolean created) {}
