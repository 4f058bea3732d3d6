import type { Flag } from '@burgee/contract'

type Links = NonNullable<Flag['links']>
type Metadata = NonNullable<Flag['metadata']>

/** Formats links as lines: the title, a blank and the address. */
export const joinLinks = (links: Links = []): string =>
  links.map(({ title, url }) => (title === url ? url : `${title} ${url}`)).join('\n')

/** Reads such lines. The last word is the address, which is also the title where there is no other. */
export function readLinks(text: string): Links | undefined {
  const links = linesOf(text).map((line) => {
    const words = line.split(/\s+/)
    const url = words.pop() ?? ''
    return { title: words.join(' ') || url, url }
  })
  return links.length > 0 ? links : undefined
}

/** Formats metadata as lines: the name, a colon and the value. */
export const joinMetadata = (metadata: Metadata = {}): string =>
  Object.entries(metadata)
    .map(([name, value]) => `${PLAIN_NAME.test(name) ? name : JSON.stringify(name)}: ${format(value)}`)
    .join('\n')

/** A name without what separates it from its value. */
const PLAIN_NAME = /^[^\s":][^":\n\r]*$/

/** A text that would be read as another type, or that is not one line, is in quotes. */
const format = (value: Metadata[string]): string =>
  typeof value === 'string' && value === value.trim() && !/[\n\r]/.test(value) && read(value) === value
    ? value
    : JSON.stringify(value)

/** Reads such lines: numbers, true, false and texts in quotes as JSON has them, anything else as a text. */
export function readMetadata(text: string): Metadata | undefined {
  const entries = linesOf(text).map((line): [string, Metadata[string]] => {
    const quoted = QUOTED_NAME.exec(line)?.[1]
    const name = quoted === undefined ? (line.split(':')[0] ?? '') : quoted
    const value = line.slice(name.length).replace(/^\s*:/, '')
    return [quoted === undefined ? name.trim() : String(read(quoted)), read(value.trim())]
  })
  const named = entries.filter(([name]) => name !== '')
  return named.length > 0 ? Object.fromEntries(named) : undefined
}

const QUOTED_NAME = /^("(?:[^"\\]|\\.)*")\s*:/

function read(text: string): Metadata[string] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
