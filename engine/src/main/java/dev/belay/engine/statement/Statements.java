package dev.belay.engine.statement;

/** All statements of one transaction. */
public interface Statements {

  PlanStatements plans();

  RunQueueStatements runQueue();

  AdmissionStatements admission();

  ResultStatements results();

  RecoveryStatements recoveries();

  ReapStatements reap();

  SteerStatements steer();

  TaskSteerStatements taskSteer();
}
