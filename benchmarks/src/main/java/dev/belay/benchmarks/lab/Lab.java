package dev.belay.benchmarks.lab;

import dev.belay.benchmarks.peer.PeerKind;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Creates the systems that a scenario measures. Close stops them, newest first. */
public final class Lab implements AutoCloseable {

  private final Path folder;
  private final Postgres postgres;
  private final List<String> serverOptions;
  private final PrintStream progress;
  private final Deque<Runnable> started = new ArrayDeque<>();
  private final Map<String, String> notes = new LinkedHashMap<>();

  /**
   * @param serverOptions additional options of the server's JVM
   */
  public Lab(Path folder, Postgres postgres, List<String> serverOptions, PrintStream progress) {
    this.folder = folder;
    this.postgres = postgres;
    this.serverOptions = serverOptions;
    this.progress = progress;
  }

  public Postgres postgres() {
    return postgres;
  }

  /** A server, and optionally a worker, on their own database. */
  public BelaySystem belay(String name, boolean withWorker) throws Exception {
    return belay(name, database(name), withWorker, Map.of());
  }

  /** A database for the system with this name. */
  public Address database(String name) throws SQLException {
    return postgres.create(name.replace('-', '_'));
  }

  /**
   * @param settings of the server, by name
   */
  public BelaySystem belay(
      String name, Address database, boolean withWorker, Map<String, String> settings)
      throws Exception {
    say("starting " + name);
    var options = new BelaySystem.ServerOptions(serverOptions, settings);
    var system = BelaySystem.start(name, folder, database, withWorker, options);
    started.push(system::close);
    return system;
  }

  public Forked peer(PeerKind kind) throws Exception {
    say("starting " + kind.label());
    var database = postgres.create(kind.label().replace('-', '_'));
    var peer = Forked.start(kind, folder, database);
    started.push(peer::close);
    return peer;
  }

  /** A peer that runs jobs by cron expressions. */
  public ForkedCron cronPeer(PeerKind kind) throws Exception {
    say("starting " + kind.label());
    var database = postgres.create(kind.label().replace('-', '_'));
    var peer = ForkedCron.start(kind, folder, database);
    started.push(peer::close);
    return peer;
  }

  /**
   * Watches the disk of the database; of a server that was not started here, that of this bench.
   */
  public DiskProbe probeDisk() {
    return DiskProbe.start(folder);
  }

  public void say(String what) {
    progress.println("bench: " + what);
  }

  /** Adds a fact for readers of the results. */
  public void note(String name, Object value) {
    notes.put(name, String.valueOf(value));
  }

  public Map<String, String> notes() {
    return notes;
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      started.pop().run();
    }
  }
}
