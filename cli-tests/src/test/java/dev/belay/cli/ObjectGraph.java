package dev.belay.cli;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The values in the objects of a running process, for each field of our classes as {@code
 * Class.field}. Lets a test see a setting where it is used.
 */
final class ObjectGraph {

  private static final String OURS = "dev.belay.";

  /** On the path from the server to the services of workers. */
  private static final List<String> BETWEEN =
      List.of("com.linecorp.armeria.server.grpc.", "io.grpc.");

  private final Map<String, List<Object>> facts = new TreeMap<>();
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> ahead = new ArrayDeque<>();

  static Map<String, List<Object>> of(Object root) {
    var graph = new ObjectGraph();
    graph.visit(root);
    while (!graph.ahead.isEmpty()) {
      graph.look(graph.ahead.pop());
    }
    return graph.facts;
  }

  private void visit(@Nullable Object value) {
    if (value != null && seen.add(value)) {
      ahead.push(value);
    }
  }

  private void look(Object value) {
    switch (value) {
      case Object[] array -> Arrays.asList(array).forEach(this::visit);
      case Collection<?> several -> new ArrayList<Object>(several).forEach(this::visit);
      case Map<?, ?> map -> Map.copyOf(map).values().forEach(this::visit);
      case Optional<?> maybe -> maybe.ifPresent(this::visit);
      case AtomicReference<?> holder -> visit(holder.get());
      case Server server -> server(server);
      case HikariDataSource pool -> pool(pool);
      default -> fields(value);
    }
  }

  private void fields(Object value) {
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      String name = type.getName();
      if (!name.startsWith(OURS) && BETWEEN.stream().noneMatch(name::startsWith)) {
        return;
      }
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field(name(type) + "." + field.getName(), read(field, value));
        }
      }
    }
  }

  private void field(String name, Object value) {
    switch (value) {
      case null -> {}
      case Semaphore semaphore -> note(name, semaphore.availablePermits());
      case ThreadPoolExecutor threads -> {
        note(name + ".threads", threads.getCorePoolSize());
        note(name + ".queue", threads.getQueue().size() + threads.getQueue().remainingCapacity());
      }
      default -> note(name, value);
    }
    if (value != null) {
      visit(value);
    }
  }

  private void note(String name, Object value) {
    facts.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  private static Object read(Field field, Object of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field.toString(), e);
    }
  }

  private static String name(Class<?> type) {
    String name = type.getName();
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
  }

  private void server(Server server) {
    var config = server.config();
    note("Server.pingIntervalMillis", config.pingIntervalMillis());
    note("Server.idleTimeoutMillis", config.idleTimeoutMillis());
    note("Server.http2MaxStreamsPerConnection", config.http2MaxStreamsPerConnection());
    note("Server.host", server.activePort().localAddress().getHostString());
    note("Server.port", server.activeLocalPort());
    for (ServiceConfig each : config.serviceConfigs()) {
      Object service = each.service().unwrapAll();
      visit(service);
      if (service.getClass().getSimpleName().equals("RouteService")) {
        note("Server.maxRequestLength", each.maxRequestLength());
        note("Server.requestTimeoutMillis", each.requestTimeoutMillis());
      }
    }
  }

  private void pool(HikariDataSource pool) {
    String name =
        String.valueOf(pool.getConnectionInitSql()).contains("plan_cache") ? "Engine" : "Api";
    note(name + "Pool.size", pool.getMaximumPoolSize());
    note(name + "Pool.connectionTimeout", pool.getConnectionTimeout());
    for (String parameter :
        List.of(
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout",
            "max_connections",
            "shared_buffers")) {
      try (var connection = pool.getConnection();
          var statement = connection.createStatement();
          var row =
              statement.executeQuery(
                  "SELECT setting::bigint FROM pg_settings WHERE name = '" + parameter + "'")) {
        row.next();
        note(name + "Pool." + parameter, row.getLong(1));
      } catch (SQLException e) {
        throw new IllegalStateException(parameter, e);
      }
    }
  }
}
