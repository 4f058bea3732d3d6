import { type Stats, unwatchFile, watchFile } from 'node:fs'
import { fileURLToPath } from 'node:url'
// By its name, so that the published entry shares its types with the one of the package.
import type { FlagSource, JsonValue } from '@burgee/sdk'
import { constantFlag } from '../constant-flag.ts'
import { decodeText } from './decode-text.ts'
import { MAX_FILE_BYTES, readBoundedFile } from './read-bounded-file.ts'

export interface FlagsFileOptions {
  /** Reads the file again when it changes. Default true. */
  readonly watch?: boolean
  /** The time in milliseconds between two looks at the file. Default 500. */
  readonly intervalMs?: number
}

const INTERVAL_MS = 500

/**
 * Takes the flags from a JSON file: a list of flags in the format of the snapshot endpoint, or an object of
 * values by flag key. A file that cannot be read is reported, and the last flags stay in use. Watching does
 * not keep a program running.
 */
export function flagsFile(
  path: string | URL,
  { watch = true, intervalMs = INTERVAL_MS }: FlagsFileOptions = {},
): FlagSource {
  const file = typeof path === 'string' ? path : fileURLToPath(path)
  return {
    open({ onFlags, onError }) {
      let isOpen = true
      /** Counts the readings: a slow one does not replace a later one. */
      let readings = 0
      const known: KnownValues = new Map()

      async function read(): Promise<void> {
        const reading = ++readings
        const isCurrent = () => isOpen && reading === readings
        try {
          const text = decodeText(await readBoundedFile(file, MAX_FILE_BYTES))
          if (isCurrent()) onFlags(parseFlags(text, known))
        } catch (error) {
          if (isCurrent()) onError(new Error(`${file} cannot be used: ${error}`, { cause: error }))
        }
      }

      function onLook(now: Stats, before: Stats): void {
        const keys = ['mtimeMs', 'size', 'ino'] as const
        if (keys.some((key) => now[key] !== before[key])) void read()
      }

      if (watch) watchFile(file, { persistent: false, interval: intervalMs }, onLook)
      void read()
      return () => {
        isOpen = false
        unwatchFile(file, onLook)
      }
    },
  }
}

/** The values of the last reading, with the reading in which each of them changed. */
type KnownValues = Map<string, { readonly text: string; readonly revision: number }>

/** @throws SyntaxError or TypeError when the text has neither form. */
function parseFlags(text: string, known: KnownValues): readonly unknown[] {
  const content: unknown = JSON.parse(text)
  if (Array.isArray(content)) return content
  if (content === null || typeof content !== 'object') {
    throw new TypeError('write a list of flags, or an object of values by flag key')
  }
  const next = 1 + [...known.values()].reduce((latest, { revision }) => Math.max(latest, revision), 0)
  // What JSON.parse returns in an object is JSON.
  return Object.entries(content as Record<string, JsonValue>).map(([key, value]) => {
    const valueText = JSON.stringify(value)
    const before = known.get(key)
    const revision = before?.text === valueText ? before.revision : next
    known.set(key, { text: valueText, revision })
    return constantFlag(key, value, revision)
  })
}
