package dev.belay.engine.statement;

/** All statements of one transaction. */
public interface Statements {

  ChainStatements chains();

  EventStatements events();

  PlanStatements plans();

  RunQueueStatements runQueue();

  AdmissionStatements admission();

  ResultStatements results();

  RecoveryStatements recoveries();

  ReapStatements reap();

  PromiseStatements promises();

  PauseStatements pauses();

  ScheduleStatements schedules();

  BackfillStatements backfills();

  BulkStatements bulks();

  DeadLetterStatements deadLetters();

  UnservedStatements unserved();

  LimitStatements limits();

  SteerStatements steer();

  TaskSteerStatements taskSteer();
}
