/** Warns of nothing: the minified bundles have this instead of `goal-warning.ts`. */
export const warn = (): void => {}

export const warnOfGoal = (): boolean => false
