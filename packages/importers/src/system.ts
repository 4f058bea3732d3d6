import { describeImportRequests, type ImportSystem } from '@burgee/contract'
import type { EnvironmentDraft } from './drafts.ts'
import type { Note } from './report.ts'

/** A file of another service, parsed from JSON, YAML or TOML. */
export interface SourceFile {
  readonly name: string
  readonly data: unknown
  /** Keys that one object of the file has twice, as JSON pointers. */
  readonly repeated?: readonly string[]
}

export interface ReadOptions {
  /** The environment to read where a file has several, or the name of the only one. */
  readonly environment?: string
  /** The time of the import in milliseconds since 1970: some services let the clock decide. */
  readonly nowMs: number
}

interface ReadResult {
  readonly environments: readonly EnvironmentDraft[]
  readonly notes: readonly Note[]
}

/** Reads the files of one service. Throws `UnreadableFile` when they are something else. */
export type ReadSystem = (files: readonly SourceFile[], options: ReadOptions) => ReadResult

/** The files are not what the service exports. The message states what is expected. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** The files are those of the service, and none of them has flags. */
export const noFlags = (system: ImportSystem): UnreadableFile =>
  new UnreadableFile(`There are no flags in these files. ${describeImportRequests(system)}`)
