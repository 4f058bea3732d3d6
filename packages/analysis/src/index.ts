/**
 * Decides what flags give to all users at once, by symbolic execution (J. C. King, "Symbolic execution and
 * program testing", CACM 19(7), 1976): an evaluation is followed along every branch with a path condition in
 * place of a user. The values of an attribute are divided into classes that no condition separates, each with
 * one witness. A branch whose condition no class meets is dropped. Counterexamples are evaluated by the SDKs'
 * code before they are returned. docs/trust.md, "One value for every user".
 */
export { type Behaviour, behaviourInSteps, behaviourOf } from './behaviour-of.ts'
export { changeShareInSteps, changeShareOf } from './change-share.ts'
export { checkShare, checkShareInSteps, type ShareLimit, type ShareVerdict } from './check-share.ts'
export {
  checkImplication,
  checkImplicationInSteps,
  checkValues,
  checkValuesInSteps,
  type FlagValue,
} from './check-values.ts'
export type { Given, Witness } from './confirm.ts'
export { type Constant, constantInSteps, constantOf } from './constant-of.ts'
export { createKeyClasses, type KeyClassOf } from './key-classes.ts'
export type { ExplorationLimits } from './limits.ts'
export { type Pairs, pairsOf, type ReachedPair } from './pairs-of.ts'
export { runSteps, type Steps } from './steps.ts'
export type { Verdict } from './verdict.ts'
