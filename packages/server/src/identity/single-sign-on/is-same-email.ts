/** Folds ASCII letters only. Other foldings make one address of two: U+212A, the Kelvin sign, becomes a k. */
const fold = (email: string): string => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Returns whether two e-mail addresses differ in the case of ASCII letters at most. */
export const isSameEmail = (one: string, other: string): boolean => fold(one) === fold(other)
