package dev.belay.server.api;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.belay.session.wire.WireId;
import dev.belay.settings.RequestGroup;
import dev.belay.store.retention.FinishedRows;
import dev.belay.store.retention.FinishedRows.Kind;
import dev.belay.store.retention.FinishedRows.Row;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finished tasks and runs: shows them as lines for an archive, and removes those it showed. */
final class ArchiveHandlers {

  private static final Logger log = LoggerFactory.getLogger(ArchiveHandlers.class);
  private static final MediaType LINES = MediaType.parse("application/x-ndjson");
  private static final String NEXT = "belay-next";

  /** A page that reaches this size ends. */
  private static final int PAGE_BYTES = 4 << 20;

  private static final int REMOVED_MAX = 1_000;

  private final RestDependencies parts;

  ArchiveHandlers(RestDependencies parts) {
    this.parts = parts;
  }

  /** One line for each; a header names the cursor of the next page, if there is one. */
  HttpResponse list(Kind kind, Call call) {
    var before = call.timeOrNull("before");
    if (before == null) {
      throw new Refused(
          HttpStatus.BAD_REQUEST,
          "The parameter before is missing: a time like 2026-01-31T12:00:00Z.");
    }
    var pageMax = parts.settings().of(RequestGroup.PAGE_MAX);
    var window = call.window(pageMax, pageMax);
    call.needs((long) Memory.COPIES * PAGE_BYTES);
    var cursor = window.cursor();
    var scan =
        parts
            .store()
            .finished()
            .scan(kind, before, cursor == null ? FinishedRows.FIRST : cursor, window.limit());
    var page = new Page(scan.next());
    if (!scan.due().isEmpty()) {
      parts.store().finished().lines(kind, ids(scan.due()), page::add);
    }
    var headers = ResponseHeaders.builder(HttpStatus.OK).contentType(LINES);
    page.next.ifPresent(next -> headers.set(NEXT, next.toString()));
    return HttpResponse.of(headers.build(), HttpData.wrap(page.bytes.toByteArray()));
  }

  private static List<UUID> ids(List<Row> rows) {
    return rows.stream().map(Row::id).toList();
  }

  private static final class Page {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Optional<UUID> next;

    Page(Optional<UUID> next) {
      this.next = next;
    }

    boolean add(FinishedRows.Line line) {
      bytes.writeBytes(line.json().getBytes(StandardCharsets.UTF_8));
      bytes.write('\n');
      if (bytes.size() < PAGE_BYTES) {
        return true;
      }
      next = Optional.of(line.row().id());
      return false;
    }
  }

  /** Removes those that are as they were shown. Safe to repeat. */
  HttpResponse remove(Kind kind, Call call) {
    var rows = rows(call);
    var removed = parts.store().finished().remove(kind, rows).size();
    parts.host().metrics().removed(kind, removed);
    log.atInfo()
        .addKeyValue("kind", kind)
        .addKeyValue("removed", removed)
        .addKeyValue("actor", call.actor())
        .log("archived rows removed");
    return Answers.ok(Map.of("removed", removed));
  }

  private static List<Row> rows(Call call) {
    var problems = new Problems("");
    var rows = new ArrayList<Row>();
    var entries = JsonText.body(call.jsonBody(), problems).entries();
    if (entries.size() == 1
        && entries.getFirst().name().equals("items")
        && entries.getFirst().value() instanceof Node.Sequence(_, var items)
        && items.size() <= REMOVED_MAX) {
      for (var item : items) {
        var row = row(item);
        if (row == null) {
          problems.add(item.at(), "must have an id and a row_version, as the archive shows them");
        } else {
          rows.add(row);
        }
      }
    } else {
      problems.add(
          new FieldPath(FieldPath.ROOT, "items", 0, 0),
          "must be the only field: a list of at most " + REMOVED_MAX);
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The list is not valid; nothing was removed.");
    }
    return rows;
  }

  private static @Nullable Row row(Node item) {
    return item instanceof Node.Mapping mapping
            && mapping.value().get("id") instanceof String id
            && WireId.isUuid(id)
            && mapping.value().get("row_version") instanceof Long version
            && mapping.entries().size() == 2
        ? new Row(UUID.fromString(id), version)
        : null;
  }
}
