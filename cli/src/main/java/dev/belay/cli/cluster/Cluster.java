package dev.belay.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.OsProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes of a cluster, as {@code cluster.json} stores them.
 *
 * @param slots of each agent
 */
record Cluster(Database database, List<Member> replicas, List<Member> agents, int slots) {

  static final String HOST = "127.0.0.1";

  Cluster {
    replicas = List.copyOf(replicas);
    agents = List.copyOf(agents);
  }

  /**
   * Where PostgreSQL is.
   *
   * @param server null when it is not ours, or not ready yet
   * @param keeper the process that PostgreSQL lives with; null when it is not ours
   */
  record Database(
      String url,
      String user,
      @Nullable Path passwordFile,
      @Nullable OsProcess server,
      @Nullable Member keeper) {

    Database with(OsProcess newServer) {
      return new Database(url, user, passwordFile, newServer, keeper);
    }

    Database with(Member newKeeper) {
      return new Database(url, user, passwordFile, server, newKeeper);
    }
  }

  /**
   * A process with a role.
   *
   * @param port where it listens; 0 when it does not
   */
  record Member(String name, OsProcess process, int port) {
    String url() {
      return "http://" + HOST + ":" + port;
    }
  }

  /** All our processes in the order in which to end them: each group needs the next. */
  List<List<Member>> endOrder() {
    return List.of(agents, replicas, Optional.ofNullable(database.keeper()).stream().toList());
  }

  Stream<Member> members() {
    return endOrder().reversed().stream().flatMap(List::stream);
  }

  boolean isLive() {
    return members().anyMatch(member -> member.process().isLive())
        || Optional.ofNullable(database.server()).filter(OsProcess::isLive).isPresent();
  }

  Cluster with(Database newDatabase) {
    return new Cluster(newDatabase, replicas, agents, slots);
  }

  /** With the PostgreSQL that runs now, if one does. */
  Cluster withServer(Optional<OsProcess> server) {
    return server.map(now -> with(database.with(now))).orElse(this);
  }

  Cluster withReplica(Member replica) {
    return new Cluster(database, replaced(replicas, replica), agents, slots);
  }

  Cluster withAgent(Member agent) {
    return new Cluster(database, replicas, replaced(agents, agent), slots);
  }

  private static List<Member> replaced(List<Member> members, Member fresh) {
    var all = new ArrayList<>(members);
    all.replaceAll(member -> member.name().equals(fresh.name()) ? fresh : member);
    if (!all.contains(fresh)) {
      all.add(fresh);
    }
    return all;
  }

  ObjectNode toJson(ClusterFolder folder) {
    var node = Json.object().put("dir", folder.path().toString());
    var data = node.putObject("database").put("url", database.url()).put("user", database.user());
    if (database.passwordFile() != null) {
      data.put("password_file", database.passwordFile().toString());
    }
    if (database.server() != null) {
      put(data, database.server());
    }
    if (database.keeper() != null) {
      data.put("port", database.keeper().port());
      put(data.putObject("keeper"), database.keeper().process());
    }
    var replicaList = node.putArray("replicas");
    replicas.forEach(
        replica ->
            put(replicaList.addObject().put("name", replica.name()), replica.process())
                .put("port", replica.port())
                .put("url", replica.url()));
    var agentList = node.putArray("agents");
    agents.forEach(agent -> put(agentList.addObject().put("name", agent.name()), agent.process()));
    return node.put("slots", slots)
        .put("token_file", folder.tokenFile().toString())
        .put("join_token_file", folder.joinTokenFile().toString());
  }

  private static ObjectNode put(ObjectNode node, OsProcess process) {
    return node.put("pid", process.pid()).put("started_at", process.startedAt().toString());
  }

  static Cluster fromJson(JsonNode node) throws IOException {
    var data = node.path("database");
    String password = Json.text(data, "password_file");
    var database =
        new Database(
            Json.text(data, "url"),
            Json.text(data, "user"),
            password.isEmpty() ? null : Path.of(password),
            data.has("pid") ? process(data) : null,
            data.has("keeper")
                ? new Member(
                    ClusterFolder.POSTGRES, process(data.path("keeper")), data.path("port").asInt())
                : null);
    return new Cluster(
        database,
        members(node.path("replicas")),
        members(node.path("agents")),
        node.path("slots").asInt());
  }

  private static List<Member> members(JsonNode nodes) throws IOException {
    var members = new ArrayList<Member>();
    for (var node : nodes) {
      members.add(new Member(Json.text(node, "name"), process(node), node.path("port").asInt()));
    }
    return members;
  }

  static OsProcess process(JsonNode node) throws IOException {
    var startedAt = Json.time(node, "started_at");
    if (!node.path("pid").canConvertToLong() || startedAt == null) {
      throw new IOException("it names a process without pid or started_at");
    }
    return new OsProcess(node.path("pid").asLong(), startedAt);
  }
}
