/** A phrase as a line of its own: `rollout 10 % -> 50 %` begins with a capital. */
export const capitalised = (phrase: string): string => `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}`
