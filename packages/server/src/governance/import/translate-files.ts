import type { ImportInput } from '@burgee/contract'
import { importFiles, parseFile, UnreadableFile } from '@burgee/importers'

/** An import for the child process. */
export interface Translation extends ImportInput {
  readonly nowMs: number
}

/** The response in JSON, or the sentence with which it is refused. */
export type Translated =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly message: string }

/** The bytes of a response: a file may stand for many times its own size. */
const RESULT_MAX_BYTES = 32 * 1024 * 1024

/** Translates the files of another service into flags with a report. */
export function translateFiles(translation: Translation): Translated {
  const { attributes = {}, environment, files, nowMs, partial = false, system } = translation
  try {
    const { aliases, environments, report } = importFiles(system, files.map(parseFile), {
      nowMs,
      isPartial: partial,
      attributes: new Map(Object.entries(attributes)),
      ...(environment !== undefined && { environment }),
    })
    const { flags, notes } = report
    const result = { system, dry_run: true, flags, notes, environments, aliases }
    const bytes = new TextEncoder().encode(JSON.stringify(result))
    if (bytes.length <= RESULT_MAX_BYTES) return { kind: 'done', bytes }
    return refused('The flags of these files are too large together. Import the files in parts.')
  } catch (error) {
    if (error instanceof UnreadableFile) return refused(error.message)
    if (error instanceof RangeError) return refused('The files are nested too deeply to be translated.')
    throw error
  }
}

const refused = (message: string): Translated => ({ kind: 'refused', message })
