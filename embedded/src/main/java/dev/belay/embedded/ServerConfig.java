package dev.belay.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The server's {@code postgresql.conf}, rewritten at each start. */
final class ServerConfig {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final long SHARED_MEMORY_BYTES_MIN = 256L << 20;

  private ServerConfig() {}

  static String render(EmbeddedSettings settings, int port) {
    return lines(settings, port).entrySet().stream()
        .map(line -> line.getKey() + " = '" + line.getValue() + "'\n")
        .collect(
            Collectors.joining(
                "", "# Written by Belay at each start: changes here are lost.\n", ""));
  }

  private static Map<String, Object> lines(EmbeddedSettings settings, int port) {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("cluster_name", "belay");
    lines.put("listen_addresses", "127.0.0.1");
    lines.put("port", port);
    lines.put("unix_socket_directories", "");
    lines.put("max_connections", settings.maxConnections());
    lines.put("password_encryption", "scram-sha-256");
    lines.put("timezone", "UTC");
    lines.put("log_timezone", "UTC");
    lines.put("log_destination", "stderr");
    // The watchdog appends standard error to one file, which ServerLog bounds.
    lines.put("logging_collector", "off");
    lines.put("log_checkpoints", "off");
    lines.put("log_lock_waits", "on");

    lines.put("shared_buffers", settings.sharedBuffersMegabytes() + "MB");
    lines.put("dynamic_shared_memory_type", roomInSharedMemory() ? "posix" : "mmap");
    lines.put("jit", "off");
    lines.put("random_page_cost", "1.1");
    // Reads mostly hit the system's cache, where separate reader processes cost more.
    lines.put("io_method", "sync");

    boolean durable = !settings.ephemeral();
    lines.put("fsync", durable ? "on" : "off");
    lines.put("synchronous_commit", durable ? "on" : "off");
    lines.put("full_page_writes", durable ? "on" : "off");
    // Nothing replicates an embedded server.
    lines.put("wal_level", "minimal");
    lines.put("max_wal_senders", 0);
    lines.put("max_logical_replication_workers", 0);
    lines.put("wal_compression", "off");
    lines.put("wal_buffers", durable ? "16MB" : "4MB");
    lines.put("min_wal_size", durable ? "256MB" : "32MB");
    // This bounds the redo after a crash: 2 GB take some seconds.
    lines.put("max_wal_size", durable ? "2GB" : "1GB");
    lines.put("checkpoint_timeout", "10min");
    if (System.getProperty("os.name").equals("Linux")) {
      // After a crash: one call instead of an fsync for each of a thousand files.
      lines.put("recovery_init_sync_method", "syncfs");
    }

    // Commits write their own log and checkpoints their own pages: background writers would wake up
    // for nothing.
    lines.put("wal_writer_delay", "10s");
    lines.put("bgwriter_delay", "10s");

    // Task rows change several times within seconds: vacuum must keep up with the dead rows.
    lines.put("autovacuum_naptime", "10s");
    lines.put("autovacuum_vacuum_scale_factor", "0.02");
    lines.put("autovacuum_vacuum_insert_scale_factor", "0.05");
    lines.put("autovacuum_analyze_scale_factor", "0.02");
    lines.put("autovacuum_vacuum_cost_delay", "0");
    return lines;
  }

  private static boolean roomInSharedMemory() {
    try {
      return Files.isWritable(SHARED_MEMORY)
          && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= SHARED_MEMORY_BYTES_MIN;
    } catch (IOException unknown) {
      return false;
    }
  }
}
