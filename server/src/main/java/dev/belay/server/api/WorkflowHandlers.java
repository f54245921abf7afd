package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.statement.SteerStatements.Control;
import dev.belay.settings.JsonGroup;
import dev.belay.settings.RequestGroup;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.Registered;
import dev.belay.store.intake.RolledBack;
import dev.belay.store.read.Workflow;
import dev.belay.workflow.BelayFile;
import dev.belay.workflow.BelayFile.RouteUse;
import dev.belay.workflow.Problems;
import dev.belay.workflow.SpecCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Workflows: register, validate, read, roll back, pause, resume. */
final class WorkflowHandlers {

  private static final List<MediaType> FILE_TYPES =
      List.of(
          MediaType.parse("application/yaml"),
          MediaType.JSON,
          MediaType.parse("application/x-yaml"),
          MediaType.parse("text/yaml"),
          MediaType.parse("text/x-yaml"),
          MediaType.parse("text/plain"),
          MediaType.OCTET_STREAM);

  private static final String INVALID = "The workflow file has errors; nothing was stored.";

  private final RestDependencies parts;
  private final RouteWarnings warnings;

  WorkflowHandlers(RestDependencies parts, RouteWarnings warnings) {
    this.parts = parts;
    this.warnings = warnings;
  }

  HttpResponse register(Call call) {
    var file = check(call);
    var spec = file.spec();
    var triggers = file.triggers();
    var workflow =
        new NewWorkflow(
            spec.tenant(),
            spec.name(),
            spec.tasks().size(),
            file.json(),
            file.source(),
            TriggerProblems.needs(triggers.uses()));
    var problems = new TriggerProblems(List.of(triggers), null);
    return switch (parts.store().workflows().register(workflow, call.actor())) {
      case Registered.Done(var latest, var missing) -> {
        var answer = summary(spec);
        answer.put("id", latest.id());
        answer.put("version", latest.version());
        answer.put("created", latest.created());
        answer.put("restored", latest.restored());
        answer.put(
            "warnings",
            Stream.concat(
                    warnings.of(triggers.name(), file.routes()).stream(),
                    problems.warnings(missing).stream())
                .map(Problem::fault)
                .toList());
        yield Answers.json(latest.created() ? HttpStatus.CREATED : HttpStatus.OK, answer);
      }
      case Registered.Refused(var faults) ->
          throw Refused.invalid(
              problems.of(faults), "The triggers of the workflow do not fit; nothing was stored.");
    };
  }

  HttpResponse validate(Call call) {
    return Answers.ok(summary(check(call).spec()));
  }

  HttpResponse list(Call call) {
    return Answers.page(
        parts
            .store()
            .reads()
            .workflows(
                call.tenant(),
                call.flag("deleted"),
                call.window(parts.settings().of(RequestGroup.PAGE_MAX))));
  }

  HttpResponse versions(Call call) {
    var name = call.path("name");
    var cursor = call.numberOrNull("cursor", 1, Integer.MAX_VALUE);
    var versions =
        parts
            .store()
            .reads()
            .versions(
                call.tenant(),
                name,
                cursor == null ? null : cursor.intValue(),
                call.limit(parts.settings().of(RequestGroup.PAGE_MAX)));
    if (versions.items().isEmpty() && cursor == null) {
      throw new Refused(Problem.notFound("workflow", name));
    }
    return Answers.ok(versions);
  }

  /** Makes a new version with the content of an earlier one. */
  HttpResponse rollBack(Call call) {
    var name = call.path("name");
    var version = version(call);
    return switch (parts.store().workflows().rollBack(call.tenant(), name, version, call.actor())) {
      case RolledBack.Done(var latest) -> {
        var answer = new LinkedHashMap<String, Object>();
        answer.put("tenant", call.tenant());
        answer.put("name", name);
        answer.put("id", latest.id());
        answer.put("version", latest.version());
        answer.put("created", latest.created());
        answer.put("restored", latest.restored());
        yield Answers.json(latest.created() ? HttpStatus.CREATED : HttpStatus.OK, answer);
      }
      case RolledBack.Refused(var faults) ->
          throw new Refused(
              Problem.of(
                      HttpStatus.UNPROCESSABLE_ENTITY,
                      "The triggers of version " + version + " do not fit; nothing changed.")
                  .withErrors(
                      faults.stream()
                          .map(fault -> Problem.fault("version", TriggerProblems.message(fault)))
                          .toList()));
      case RolledBack.NoVersion _ ->
          throw new Refused(
              HttpStatus.NOT_FOUND,
              "There is no workflow " + name + " with version " + version + ".");
    };
  }

  private static int version(Call call) {
    var problems = new Problems("");
    var entries = JsonText.body(call.jsonBody(), problems).entries();
    if (problems.isEmpty()
        && entries.size() == 1
        && entries.getFirst().name().equals("version")
        && entries.getFirst().value().value() instanceof Long number
        && number > 0
        && number.intValue() == number) {
      return number.intValue();
    }
    throw new Refused(
        Problem.of(HttpStatus.UNPROCESSABLE_ENTITY, "The rollback is not valid; nothing changed.")
            .withErrors(
                List.of(
                    Problem.fault("version", "must be the only field: the number of a version"))));
  }

  HttpResponse find(Call call) {
    var name = call.path("name");
    var version = call.numberOrNull("version", 1, Integer.MAX_VALUE);
    call.needs(
        Memory.COPIES
            * parts
                .store()
                .reads()
                .workflowBytes(call.tenant(), name, version == null ? null : version.intValue()));
    var found =
        parts
            .store()
            .reads()
            .workflow(call.tenant(), name, version == null ? null : version.intValue());
    return Answers.ok(
        found
            .map(WorkflowHandlers::detail)
            .orElseThrow(() -> new Refused(Problem.notFound("workflow", name))));
  }

  HttpResponse pause(Call call) {
    var name = call.path("name");
    return control(name, parts.store().steering().pause(call.tenant(), name, call.actor()));
  }

  HttpResponse resume(Call call) {
    var name = call.path("name");
    return control(name, parts.store().steering().resume(call.tenant(), name, call.actor()));
  }

  private static HttpResponse control(String name, Optional<Control> control) {
    return Answers.ok(control.orElseThrow(() -> new Refused(Problem.notFound("workflow", name))));
  }

  private static Object detail(Workflow.Detail detail) {
    return JsonText.object(detail.workflow())
        .put("source", detail.source())
        .putRawValue("spec", JsonText.raw(detail.spec()));
  }

  private record Checked(
      String source,
      WorkflowSpec spec,
      String json,
      List<RouteUse> routes,
      TriggerProblems.File triggers) {}

  private Checked check(Call call) {
    var body = call.body(FILE_TYPES);
    var checked = parts.checking().call(call, body.length, () -> checked(call, source(body)));
    call.needsForSpec(checked.json().length());
    return checked;
  }

  private static String source(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The workflow file is not text in UTF-8.");
    }
  }

  private Checked checked(Call call, String source) {
    var given = call.text("file");
    var file = given == null ? "workflow.yaml" : given;
    var valuesMax = parts.settings().of(JsonGroup.WORKFLOW_VALUES_MAX);
    return switch (BelayFile.parse(file, source, valuesMax)) {
      case BelayFile.Workflow workflow -> {
        var spec = workflow.spec();
        yield new Checked(
            source,
            spec,
            SpecCodec.toJson(spec),
            workflow.routes(),
            new TriggerProblems.File(
                new dev.belay.engine.port.Workflow(spec.tenant(), spec.name()),
                file,
                workflow.triggers()));
      }
      case BelayFile.SystemFile system ->
          throw Refused.invalid(List.of(system.noWorkflow(file)), INVALID);
      case BelayFile.Invalid(var problems) -> throw Refused.invalid(problems, INVALID);
    };
  }

  private static Map<String, Object> summary(WorkflowSpec spec) {
    var summary = new LinkedHashMap<String, Object>();
    summary.put("tenant", spec.tenant());
    summary.put("name", spec.name());
    summary.put("task_count", spec.tasks().size());
    summary.put("trigger_count", spec.triggers().size());
    return summary;
  }
}
