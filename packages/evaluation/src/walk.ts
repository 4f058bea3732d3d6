export { type Behaviour, behaviourInSteps, behaviourOf } from './walk/behaviour-of.ts'
export { changeShareInSteps, changeShareOf } from './walk/change-share.ts'
export { checkShare, checkShareInSteps, type ShareLimit, type ShareVerdict } from './walk/check-share.ts'
export {
  checkImplication,
  checkImplicationInSteps,
  checkValues,
  checkValuesInSteps,
  type FlagValue,
} from './walk/check-values.ts'
export type { Given, Witness } from './walk/confirm.ts'
export { type Constant, constantInSteps, constantOf } from './walk/constant-of.ts'
export { createKeyClasses, type KeyClassOf } from './walk/key-classes.ts'
export type { WalkLimits } from './walk/limits.ts'
export { type Pairs, pairsOf, type ReachedPair } from './walk/pairs-of.ts'
export { runSteps, type Steps } from './walk/steps.ts'
export type { Verdict } from './walk/verdict.ts'
