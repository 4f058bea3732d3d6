import { IMPORT_BODY_MAX_BYTES, IMPORT_FILES_MAX, type ImportInput } from '@burgee/contract'
import type { ImportService } from './services.ts'

/** A file that a person has chosen. */
export interface ChosenFile {
  readonly name: string
  readonly content: string
}

/** The name of the environment of files that never name theirs. */
const UNNAMED_ENVIRONMENT = 'these files'

export interface BodyOptions {
  readonly attributes?: Readonly<Record<string, string>>
  /** True to read pages of a longer list as they are. */
  readonly isPartial?: boolean
}

/** Returns the body of the import. */
export const importBody = (
  service: ImportService,
  files: readonly ChosenFile[],
  { attributes = {}, isPartial = false }: BodyOptions = {},
): ImportInput => ({
  system: service.system,
  files: files.map(({ content, name }) => ({ name, content })),
  ...(Object.keys(attributes).length > 0 && { attributes }),
  ...(isPartial && { partial: true }),
  ...(service.isUnnamed && { environment: UNNAMED_ENVIRONMENT }),
})

/** Adds files to those that are chosen. One of the same name takes the place of the earlier. */
export function addFiles(chosen: readonly ChosenFile[], added: readonly ChosenFile[]): ChosenFile[] {
  const names = new Set(added.map(({ name }) => name))
  return [...chosen.filter(({ name }) => !names.has(name)), ...added]
}

/** Returns why the server would refuse these files, or null. It counts the bytes that are sent. */
export function findFileProblem(body: ImportInput): string | null {
  const empty = body.files.find(({ content }) => content.trim() === '')
  if (empty) return `${empty.name} is empty. Remove it, or export it again.`
  if (body.files.length > IMPORT_FILES_MAX)
    return `These are ${body.files.length} files. One import takes at most ${IMPORT_FILES_MAX}.`
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length
  if (bytes <= IMPORT_BODY_MAX_BYTES) return null
  return `The files have ${formatBytes(bytes)} as they are sent, and one import takes at most ${formatBytes(IMPORT_BODY_MAX_BYTES)}. Import them in parts, or use the command burgee import, which takes 64 MiB.`
}

/** Returns why a file is not read at all, or null. A larger one cannot be part of any import. */
export const findReadProblem = ({
  name,
  size,
}: {
  readonly name: string
  readonly size: number
}): string | null =>
  size <= IMPORT_BODY_MAX_BYTES
    ? null
    : `${name} has ${formatBytes(size)}, and one import takes at most ${formatBytes(IMPORT_BODY_MAX_BYTES)}. Split it, or use the command burgee import, which takes 64 MiB.`

const KIB = 1024
const MIB = KIB * KIB

/** Returns an amount of bytes for people: `1.2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`
  const [amount, unit] = bytes < MIB ? [bytes / KIB, 'KiB'] : [bytes / MIB, 'MiB']
  return `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}
