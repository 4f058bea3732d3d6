export { createExplainer, explain } from './explain/explain.ts'
export type {
  ConditionTrace,
  DecidingStep,
  ExplainedEvaluation,
  PrerequisiteTrace,
  RolloutTrace,
  RuleOrigin,
  RuleTrace,
  Trace,
  ValueTrace,
} from './explain/trace.ts'
