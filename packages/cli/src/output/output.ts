import { stringify } from 'yaml'

const FORMS = ['text', 'json', 'yaml'] as const
const FORMS_OF_TEST = [...FORMS, 'junit'] as const
export type OutputForm = (typeof FORMS_OF_TEST)[number]

/** The forms of a command's result: `text` for people, the others for programs. */
export const outputFormsOf = (command: string): readonly OutputForm[] =>
  command === 'test' ? FORMS_OF_TEST : FORMS

/** The streams, settings and folder of a command. */
export interface Io {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Resolves when the person or the system ends the process, which until then it keeps running. */
  untilStopped(): Promise<void>
}

/** Returns a value in a form for programs, with a line break at its end. */
export const render = (form: Exclude<OutputForm, 'text'>, value: unknown): string =>
  form === 'yaml' ? stringify(value, { lineWidth: 0 }) : `${JSON.stringify(value, null, 2)}\n`

/** The colors of a text, which are empty unless it goes to a terminal (https://no-color.org). */
export interface Colors {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** Returns the colors for a stream. */
export function colorsOf(env: NodeJS.ProcessEnv, stream: { readonly isTTY?: boolean }): Colors {
  const isColored = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  const paint = (code: number) => (text: string) => (isColored ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: paint(1), dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33) }
}

/**
 * Returns a text from a server or file for the terminal. Control characters, which could move its cursor, and
 * those that change the order of what is shown, or are not seen, are escapes. Joiners and the selectors of
 * emoji stay.
 */
export const printable = (text: string): string =>
  text.replace(/(?![\n\t])\p{Cc}|(?![\u200c\u200d])\p{Cf}|[\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? ''
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
