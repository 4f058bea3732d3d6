import { cutLine } from '@burgee/contract'

const NAME_MAX = 40
// Hebrew, Arabic and their neighbors, and the presentation forms.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * A reported value inside a sentence: in quotes, short, and so that its direction cannot turn the sentence
 * around.
 */
export function nameValue(value: string): string {
  const line = cutLine(value, NAME_MAX)
  if (line === '') return 'the empty text'
  return RIGHT_TO_LEFT.test(line) ? `“\u2068${line}\u2069”` : `“${line}”`
}
