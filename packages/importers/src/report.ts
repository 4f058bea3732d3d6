import { IMPORT_CLASSES, type ImportClass } from '@burgee/contract'

export const CLASSES = IMPORT_CLASSES
/**
 * `exact`: every user gets what they got. `moved`: the same rules and shares, other users. `approximated`: a
 * note names the difference. `skipped`: the flag is not written.
 */
export type Class = ImportClass

/** One remark about a flag. `path` is the place in the file, as a JSON pointer inside the flag. */
export interface Note {
  readonly code: string
  readonly path: string
  readonly message: string
}

export interface FlagReport {
  readonly key: string
  readonly environment: string
  readonly class: Class
  readonly notes: readonly Note[]
}

export interface ImportReport {
  readonly system: string
  readonly flags: readonly FlagReport[]
  /** Remarks about the whole file. */
  readonly notes: readonly Note[]
}

/** Collects the notes of one flag. Its class is that of the worst note. */
export class FlagNotes {
  readonly notes: Note[] = []
  #rank = 0

  /** Adds a remark that changes no evaluation, once for each place. */
  remark(code: string, path: string, message: string): void {
    const isKnown = this.notes.some((note) => note.code === code && note.path === path)
    if (!isKnown && this.notes.length < NOTES_MAX) this.notes.push({ code, path, message })
  }

  /** Adds a remark that makes the flag at best of this class. */
  lower(to: Class, note: Note): void {
    this.#rank = Math.max(this.#rank, CLASSES.indexOf(to))
    this.remark(note.code, note.path, note.message)
  }

  get class(): Class {
    return CLASSES[this.#rank] ?? 'skipped'
  }
}

/**
 * The code of the note that engines of one service evaluate a part in different ways, and none of them is the
 * reference. Such a flag is at best `approximated`.
 */
export const ENGINES_DIFFER = 'engines_differ'
/** The code of the note that the JavaScript engine of flagd, or an older flagd, differs from flagd itself. */
export const JAVASCRIPT_DIFFERS = 'javascript_differs'

const NOTES_MAX = 100
