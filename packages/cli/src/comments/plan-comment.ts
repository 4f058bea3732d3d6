import { createHash } from 'node:crypto'

/** A comment of GitHub has at most 65,536 characters. */
const TEXT_MAX = 60_000

/** Returns the hidden first line that finds a plan again: one for each project and environment of options. */
export const planMarker = (project: string | undefined, environment: string | undefined): string => {
  const id = createHash('sha256').update(JSON.stringify([project, environment]))
  return `<!-- burgee plan ${id.digest('hex').slice(0, 16)} -->`
}

/** Returns a plan as Markdown. The fence is longer than any in the text, so that flags cannot end it. */
export function planComment(text: string): string {
  const isCut = text.length > TEXT_MAX
  const shown = isCut ? text.slice(0, text.lastIndexOf('\n', TEXT_MAX) + 1 || TEXT_MAX) : text
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const rest = isCut
    ? `\nThe plan is cut: the log of the job has its ${text.split('\n').length} lines.\n`
    : ''
  return `### Burgee plan\n\n${fence}text\n${shown.trimEnd()}\n${fence}\n${rest}`
}
