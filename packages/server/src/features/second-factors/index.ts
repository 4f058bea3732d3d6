export { createSecondFactors, type SecondFactors } from './create-second-factors.ts'
export { secondFactorHandlers } from './handlers.ts'
export { type FactorState, readFactorState, secondFactorDueAt } from './policy-queries.ts'
export { findProof, type Proof, secondFactorRequired } from './second-factor.ts'
