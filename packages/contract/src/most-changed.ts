import type { Impact } from './schemas/impact.ts'

/** Returns the most users whom a change affects: of all users, where only a sample was evaluated. */
export const mostChanged = ({ all, certain, possible }: Impact['changed']): number =>
  all?.high ?? certain + possible
