package dev.belay.cli.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.belay.cli.client.BelayClient;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.command.ClientCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.workflow.Durations;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes finished tasks and runs to a file. */
@Command(
    name = "archive",
    description = {
      "Write finished tasks and runs to a file of compressed JSON lines, with attempts and"
          + " history.",
      "With --remove, the server then removes those that are in the file and have not changed. If"
          + " the file exists, the command does not write it again: it removes what the file has,"
          + " unless some of that ended after --before."
    },
    footer = {
      "  belay archive --before 90d --to 2026-q1.jsonl.gz",
      "  belay archive --before 2026-04-01 --to 2026-q1.jsonl.gz --remove",
      "  zcat 2026-q1.jsonl.gz | grep '\"kind\":\"run\"'"
    })
public final class ArchiveCommand extends ClientCommand {

  private static final Duration TELL_EVERY = Duration.ofSeconds(5);
  private static final int REMOVED_AT_ONCE = 500;

  @Option(
      names = "--before",
      required = true,
      paramLabel = "WHEN",
      description = {
        "Take what ended before this time: an age like 90d, a date like 2026-04-01 (UTC),",
        "or a time like 2026-04-01T12:00:00Z."
      })
  String before;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FILE",
      description = "The file, such as q1.jsonl.gz. An existing file is never overwritten.")
  Path to;

  @Option(names = "--remove", description = "Remove what is in the file from the server.")
  boolean remove;

  private long toldAt;

  public ArchiveCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    Instant limit = limit();
    var file = new ArchiveFile(to);
    if (file.exists() && !remove) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "%s exists. Name another file; or add --remove, to remove what it has from the server."
              .formatted(to));
    }
    toldAt = surroundings.ticker().getAsLong();
    try (var client = connect()) {
      if (file.exists()) {
        refuseYounger(file, limit);
        note("%s exists: the server removes what it has.".formatted(to));
      } else {
        file.write(lines -> write(client, limit, lines));
      }
      return done(file, count(client, file), limit);
    }
  }

  /** --before also protects what an existing file has. */
  private void refuseYounger(ArchiveFile file, Instant limit) throws CommandFailed {
    file.read(
        line -> {
          var item = Json.parse(line.getBytes(StandardCharsets.UTF_8));
          var ended = Json.time(item, "ended_at");
          if (ended == null || !ended.isBefore(limit)) {
            throw new CommandFailed(
                ExitCode.USAGE,
                "%s has the %s %s, which ended at %s, not before %s; nothing was removed. Repeat the --before with which the file was written, or name another file."
                    .formatted(to, Json.text(item, "kind"), Json.text(item, "id"), ended, limit));
          }
        });
  }

  private Instant limit() throws CommandFailed {
    Optional<Duration> age = Durations.parse(before);
    if (age.isPresent()) {
      return surroundings.clock().instant().minus(age.get()).truncatedTo(ChronoUnit.SECONDS);
    }
    try {
      return before.contains("T")
          ? Instant.parse(before)
          : LocalDate.parse(before).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "--before is \"%s\"; it must be an age like 90d, a date like 2026-04-01, or a time like"
                  .formatted(before)
              + " 2026-04-01T12:00:00Z.");
    }
  }

  /** Runs come first, because they are removed first. */
  private void write(BelayClient client, Instant limit, OutputStream lines)
      throws CommandFailed, IOException {
    var counted = new CountedLines(lines);
    for (String kind : new String[] {"runs", "tasks"}) {
      String cursor = null;
      do {
        var query = new Query("/archive/" + kind).with("before", limit).with("cursor", cursor);
        cursor = client.copyPage(query, counted);
        tell("%,d lines written".formatted(counted.lines()));
      } while (cursor != null);
    }
  }

  /** What the file has, and what was removed of it. */
  private static final class Counts {
    int runs;
    int tasks;
    int removedRuns;
    int removedTasks;
  }

  private Counts count(BelayClient client, ArchiveFile file) throws CommandFailed {
    var counts = new Counts();
    var batch = new Batch(client, counts);
    file.read(
        line -> {
          var item = Json.parse(line.getBytes(StandardCharsets.UTF_8));
          boolean run = Json.text(item, "kind").equals("run");
          counts.runs += run ? 1 : 0;
          counts.tasks += run ? 0 : 1;
          if (remove) {
            batch.add(run, item);
          }
        });
    batch.send();
    return counts;
  }

  /** Lines of one kind that are removed together. */
  private final class Batch {
    private final BelayClient client;
    private final Counts counts;
    private ArrayNode items = Json.object().putArray("items");
    private boolean runs = true;

    Batch(BelayClient client, Counts counts) {
      this.client = client;
      this.counts = counts;
    }

    void add(boolean run, JsonNode line) throws CommandFailed {
      if (run != runs || items.size() == REMOVED_AT_ONCE) {
        send();
      }
      runs = run;
      items
          .addObject()
          .put("id", Json.text(line, "id"))
          .put("row_version", line.path("row_version").asLong());
    }

    void send() throws CommandFailed {
      if (items.isEmpty()) {
        return;
      }
      var body = Json.object();
      body.set("items", items);
      var query = new Query("/archive/%s/remove".formatted(runs ? "runs" : "tasks"));
      int removed = client.post(query, body).path("removed").asInt();
      counts.removedRuns += runs ? removed : 0;
      counts.removedTasks += runs ? 0 : removed;
      items = Json.object().putArray("items");
      tell("%,d removed".formatted(counts.removedRuns + counts.removedTasks));
    }
  }

  private ExitCode done(ArchiveFile file, Counts counts, Instant limit) throws CommandFailed {
    if (json()) {
      var answer = Json.object();
      answer.put("file", to.toString()).put("before", limit.toString());
      answer.put("bytes", file.bytes()).put("runs", counts.runs).put("tasks", counts.tasks);
      answer.put("removed_runs", counts.removedRuns).put("removed_tasks", counts.removedTasks);
      print(answer);
      return ExitCode.OK;
    }
    print(
        "%s has %s and %s that ended before %s."
            .formatted(to, of(counts.runs, "run"), of(counts.tasks, "task"), limit));
    if (remove) {
      int removed = counts.removedRuns + counts.removedTasks;
      print(
          "The server removed %s and %s of them; %,d had changed or were gone."
              .formatted(
                  of(counts.removedRuns, "run"),
                  of(counts.removedTasks, "task"),
                  counts.runs + counts.tasks - removed));
    }
    return ExitCode.OK;
  }

  private static String of(int count, String what) {
    return "%,d %s%s".formatted(count, what, count == 1 ? "" : "s");
  }

  private void tell(String progress) {
    long now = surroundings.ticker().getAsLong();
    if (now - toldAt >= TELL_EVERY.toNanos()) {
      toldAt = now;
      note(progress);
    }
  }

  /** Counts the lines that pass. */
  private static final class CountedLines extends FilterOutputStream {
    private long lines;

    CountedLines(OutputStream out) {
      super(out);
    }

    long lines() {
      return lines;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      for (int i = from; i < from + length; i++) {
        lines += bytes[i] == '\n' ? 1 : 0;
      }
      out.write(bytes, from, length);
    }
  }
}
