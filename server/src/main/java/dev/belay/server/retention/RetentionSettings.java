package dev.belay.server.retention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How finished tasks and runs are removed.
 *
 * @param age how long after their end; zero means never
 * @param batch limit of rows examined, and removed, by one transaction
 * @param share of the time that batches may take
 * @param archive the folder to write them to first
 */
public record RetentionSettings(Duration age, int batch, double share, Optional<Path> archive) {}
