package dev.belay.store.intake;

import dev.belay.store.Sql;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Idempotency keys. A claim stores a key with its ids; the key expires after its retention. */
public final class Keys {

  private Keys() {}

  /** Deletes keys older than the retention, at most {@code limit} in one call. */
  public static int forget(Handle handle, Duration retention, int limit) {
    return handle
        .createUpdate(Sql.named("intake/delete_old_keys"))
        .bind("retention_seconds", (double) retention.toSeconds())
        .bind("limit", limit)
        .execute();
  }

  /** In the transaction that claimed the key: it stands for these ids after all. */
  static void correct(Handle handle, IdempotencyKey key, List<UUID> ids) {
    handle
        .createUpdate(Sql.named("intake/correct_key"))
        .bind("tenant", key.tenant())
        .bind("key", key.value())
        .bindArray("ids", UUID.class, ids)
        .execute();
  }

  /** A key and the ids that it stands for once claimed. */
  record Claim(IdempotencyKey key, List<UUID> ids) {}

  /** The ids that the claimed keys stand for. */
  sealed interface Claimed {
    /**
     * @param earlier ids of earlier requests with the same key; this call won the other claims
     */
    record Held(Map<IdempotencyKey, List<UUID>> earlier) implements Claimed {}

    record Conflict(List<String> keys) implements Claimed {}
  }

  /** Claims keys in the caller's transaction; no key may be named twice. */
  static Claimed claim(Handle handle, List<Claim> claims) {
    var open = new LinkedHashMap<Name, Claim>();
    claims.forEach(claim -> open.put(Name.of(claim.key()), claim));
    var earlier = new HashMap<IdempotencyKey, List<UUID>>();
    var conflicts = new ArrayList<String>();
    // Repeats only for a key whose retention ended between the two statements.
    while (!open.isEmpty()) {
      insert(handle, List.copyOf(open.values())).forEach(open::remove);
      for (var stored : read(handle, List.copyOf(open.keySet()))) {
        var key = Objects.requireNonNull(open.remove(stored.name())).key();
        if (key.requestHash().equals(stored.requestHash())) {
          earlier.put(key, stored.ids());
        } else {
          conflicts.add(key.value());
        }
      }
    }
    return conflicts.isEmpty() ? new Claimed.Held(earlier) : new Claimed.Conflict(conflicts);
  }

  /** The ids behind a key; empty when no request claimed it. */
  static Optional<Claimed> find(Handle handle, IdempotencyKey key) {
    return read(handle, List.of(Name.of(key))).stream()
        .findFirst()
        .map(
            stored ->
                key.requestHash().equals(stored.requestHash())
                    ? new Claimed.Held(Map.of(key, stored.ids()))
                    : new Claimed.Conflict(List.of(key.value())));
  }

  private static List<Name> insert(Handle handle, List<Claim> claims) {
    var numbers = new ArrayList<Integer>();
    var idNumbers = new ArrayList<Integer>();
    var ids = new ArrayList<UUID>();
    for (var claim : claims) {
      var number = numbers.size();
      numbers.add(number);
      claim.ids().forEach(id -> idNumbers.add(number));
      ids.addAll(claim.ids());
    }
    var keys = claims.stream().map(Claim::key).toList();
    return handle
        .createQuery(Sql.named("intake/claim_keys"))
        .bindArray("numbers", Integer.class, numbers)
        .bindArray("tenants", String.class, keys.stream().map(IdempotencyKey::tenant).toList())
        .bindArray("keys", String.class, keys.stream().map(IdempotencyKey::value).toList())
        .bindArray("hashes", String.class, keys.stream().map(IdempotencyKey::requestHash).toList())
        .bindArray("id_numbers", Integer.class, idNumbers)
        .bindArray("ids", UUID.class, ids)
        .map((row, context) -> new Name(row.getString("tenant"), row.getString("key")))
        .list();
  }

  private static List<Stored> read(Handle handle, List<Name> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    return handle
        .createQuery(Sql.named("intake/read_keys"))
        .bindArray("tenants", String.class, names.stream().map(Name::tenant).toList())
        .bindArray("keys", String.class, names.stream().map(Name::key).toList())
        .map(
            (row, context) ->
                new Stored(
                    new Name(row.getString("tenant"), row.getString("key")),
                    HexFormat.of().formatHex(row.getBytes("request_hash")),
                    List.of((UUID[]) row.getArray("ids").getArray())))
        .list();
  }

  private record Name(String tenant, String key) {
    static Name of(IdempotencyKey key) {
      return new Name(key.tenant(), key.value());
    }
  }

  private record Stored(Name name, String requestHash, List<UUID> ids) {}
}
