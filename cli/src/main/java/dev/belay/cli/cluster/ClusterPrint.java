package dev.belay.cli.cluster;

import dev.belay.cli.client.OsProcess;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Table;
import dev.belay.cli.terminal.Table.Cell;
import java.util.List;
import java.util.Locale;

/** Formats a cluster for people. */
final class ClusterPrint {

  private ClusterPrint() {}

  static List<String> table(Cluster cluster, Style style) {
    var table = new Table("NAME", "PID", "STATE", "WHERE");
    var database = cluster.database();
    var server = database.server();
    table.add(
        Cell.of("database"),
        Cell.of(server == null ? "-" : Long.toString(server.pid())),
        Cell.of(server == null ? "external" : state(server)),
        Cell.of(database.url()));
    cluster
        .members()
        .forEach(
            member ->
                table.add(
                    Cell.of(member.equals(database.keeper()) ? "its keeper" : member.name()),
                    Cell.of(Long.toString(member.process().pid())),
                    Cell.of(state(member.process())),
                    Cell.of(cluster.replicas().contains(member) ? member.url() : "")));
    return table.lines(style);
  }

  static String state(OsProcess process) {
    return process.state().name().toLowerCase(Locale.ROOT);
  }
}
