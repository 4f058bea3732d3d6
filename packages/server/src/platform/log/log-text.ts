import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'

const LEVEL_STYLES = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'gray',
  trace: 'gray',
} as const
const LEVEL_WIDTH = 5
/** The time of day in an ISO timestamp. */
const TIME = { from: 11, to: 19 }
/** Control characters, which could write to other places of the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

type Style = (style: Parameters<typeof styleText>[0], text: string) => string

/** Turns the JSON lines of the log into lines for a person, and writes those to `destination`. */
export function createTextLog(
  destination: DestinationStream,
  { hasColors }: { readonly hasColors: boolean },
): DestinationStream {
  const style: Style = hasColors
    ? (name, text) => styleText(name, text, { validateStream: false })
    : (_, text) => text
  return { write: (line) => destination.write(formatLine(line, style)) }
}

function formatLine(line: string, style: Style): string {
  const fields = parseFields(line)
  if (fields === null) return line
  const { err, level, msg, time, ...rest } = fields
  const name = String(level)
  const color = isLevel(name) ? LEVEL_STYLES[name] : 'gray'
  const head = [
    style('gray', String(time).slice(TIME.from, TIME.to)),
    style(color, name.toUpperCase().padEnd(LEVEL_WIDTH)),
    withoutControl(String(msg ?? '')),
    ...Object.entries(rest).map(([key, value]) => style('gray', `${key}=${formatValue(value)}`)),
  ]
  return `${head.join(' ')}\n${formatError(err)}`
}

function parseFields(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const fields: unknown = JSON.parse(line)
    return typeof fields === 'object' && fields !== null ? { ...fields } : null
  } catch {
    return null
  }
}

const isLevel = (name: string): name is keyof typeof LEVEL_STYLES => Object.hasOwn(LEVEL_STYLES, name)

/** JSON escapes control characters below U+0020 only. */
const formatValue = (value: unknown): string => withoutControl(JSON.stringify(value))

/** The stack of an error, indented below its line. */
function formatError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const stack = 'stack' in err && typeof err.stack === 'string' ? err.stack : JSON.stringify(err)
  return stack
    .split('\n')
    .map((line) => `  ${withoutControl(line)}\n`)
    .join('')
}

const withoutControl = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
