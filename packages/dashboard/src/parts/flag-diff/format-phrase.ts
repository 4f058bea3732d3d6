import { capitalised } from './capitalised.ts'

/** A phrase of the semantic diff as people read it: `rollout 10 % -> 50 %` becomes `Rollout 10 % → 50 %`. */
export const formatPhrase = (phrase: string): string => capitalised(phrase).replaceAll(' -> ', ' → ')
