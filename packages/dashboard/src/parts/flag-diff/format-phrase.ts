/** A phrase of the semantic diff as people read it: `rollout 10% -> 50%` becomes `Rollout 10% → 50%`. */
export const formatPhrase = (phrase: string): string => capitalize(phrase).replaceAll(' -> ', ' → ')

/** A phrase as a line of its own: `rollout 10% -> 50%` begins with a capital. */
export const capitalize = (phrase: string): string => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`
