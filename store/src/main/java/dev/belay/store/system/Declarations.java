package dev.belay.store.system;

import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import dev.belay.engine.port.Hints;
import dev.belay.store.Sql;
import dev.belay.store.Unnest;
import dev.belay.store.system.Declaration.Seen;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Writes pools, topics and tenants. */
public final class Declarations {

  private static final String BY_SYSTEM_FILE = DeclaredIn.SYSTEM_FILE.name();

  private final Jdbi jdbi;
  private final Hints hints;

  public Declarations(Jdbi jdbi, Hints hints) {
    this.jdbi = jdbi;
    this.hints = hints;
  }

  private record Owner(String declaredIn, long version) {}

  /** Declares through the API; returns after commit. */
  public <T> Declaration put(Kind<T> kind, T value, Seen seen, String actor) {
    return changed(
        kind,
        kind.name().apply(value),
        seen,
        context -> {
          boolean written =
              write(
                      context.handle(),
                      kind,
                      List.of(value),
                      new Writer(DeclaredIn.API, context.version(), actor))
                  > 0;
          return new Declaration.Done(context.owner() == null, written);
        });
  }

  /** Removes what was declared through the API; returns after commit. */
  public Declaration delete(Kind<?> kind, String name, Seen seen) {
    return changed(
        kind,
        name,
        seen,
        context -> {
          if (context.owner() == null) {
            return new Declaration.NotFound();
          }
          context.handle().createUpdate(Sql.named(kind.delete())).bind("name", name).execute();
          return new Declaration.Done(false, true);
        });
  }

  private record Context(Handle handle, @Nullable Owner owner, long version) {}

  private Declaration changed(
      Kind<?> kind, String name, Seen seen, Function<Context, Declaration> change) {
    Declaration done =
        jdbi.inTransaction(
            handle -> {
              long version = raise(handle);
              Owner owner = owner(handle, kind, name).orElse(null);
              Declaration answer = refused(owner, seen);
              if (answer == null) {
                answer = change.apply(new Context(handle, owner, version));
              }
              if (answer instanceof Declaration.Done(_, var written) && written) {
                followTenants(handle, kind);
              } else {
                handle.rollback();
              }
              return answer;
            });
    if (done instanceof Declaration.Done(_, var written) && written) {
      hints.routingChanged();
    }
    return done;
  }

  private static @Nullable Declaration refused(@Nullable Owner owner, Seen seen) {
    if (owner != null && owner.declaredIn().equals(BY_SYSTEM_FILE)) {
      return new Declaration.OfSystemFile();
    }
    Long version = owner == null ? null : Long.valueOf(owner.version());
    return seen.holds(version) ? null : new Declaration.Outdated(version);
  }

  private static Optional<Owner> owner(Handle handle, Kind<?> kind, String name) {
    return handle
        .createQuery(Sql.named(kind.findOwner()))
        .bind("name", name)
        .map((row, context) -> new Owner(row.getString("declared_in"), row.getLong("version")))
        .findFirst();
  }

  /** Everything that a system file declares. */
  public record OfFile(List<DeclaredPool> pools, List<DeclaredTopic> topics, List<Tenant> tenants) {
    public OfFile {
      pools = List.copyOf(pools);
      topics = List.copyOf(topics);
      tenants = List.copyOf(tenants);
    }
  }

  /** In the transaction that applies a system file: it takes over what it names. */
  public static void replace(Handle handle, OfFile file, String actor) {
    var writer = new Writer(DeclaredIn.SYSTEM_FILE, raise(handle), actor);
    replace(handle, Kind.POOL, file.pools(), writer);
    replace(handle, Kind.TOPIC, file.topics(), writer);
    replace(handle, Kind.TENANT, file.tenants(), writer);
    followTenants(handle, Kind.TENANT);
  }

  private static <T> void replace(Handle handle, Kind<T> kind, List<T> values, Writer writer) {
    handle
        .createUpdate(Sql.named(kind.deleteOthers()))
        .bindArray("names", String.class, values.stream().map(kind.name()).toList())
        .execute();
    if (!values.isEmpty()) {
      write(handle, kind, values, writer);
    }
  }

  private record Writer(DeclaredIn declaredIn, long version, String actor) {}

  private static <T> int write(Handle handle, Kind<T> kind, List<T> values, Writer writer) {
    var update =
        handle
            .createUpdate(Sql.named(kind.write()))
            .bind("declared_in", writer.declaredIn().name())
            .bind("version", writer.version())
            .bind("actor", writer.actor());
    Unnest.bind(update, "names", String.class, values, kind.name()::apply);
    kind.columns().accept(update, values);
    return update.execute();
  }

  /** The intake counts the submits of tenants that limit them, and only of those. */
  private static void followTenants(Handle handle, Kind<?> kind) {
    if (kind.equals(Kind.TENANT)) {
      handle.createUpdate(Sql.named("system/write_intake_rows")).execute();
    }
  }

  private static long raise(Handle handle) {
    return handle.createQuery(Sql.named("system/raise_version")).mapTo(Long.class).one();
  }
}
