import {
  describeImportRequests,
  IMPORT_SYSTEM_NAMES,
  IMPORT_SYSTEMS,
  type ImportSystem,
} from '@burgee/contract'
import { type SourceFile, UnreadableFile } from '../system.ts'
import { GROWTHBOOK_SHAPES } from './growthbook-shapes.ts'
import { LAUNCHDARKLY_SHAPES } from './launchdarkly-shapes.ts'
import { CONFIGCAT_SHAPES, FLAGD_SHAPES, FLAGSMITH_SHAPES, GOFF_SHAPES } from './other-shapes.ts'
import type { Shape } from './shape.ts'
import { UNLEASH_SHAPES } from './unleash-shapes.ts'

/** The kinds of files of each service: the first that fits is meant. */
const SHAPES: Readonly<Record<ImportSystem, readonly Shape[]>> = {
  launchdarkly: LAUNCHDARKLY_SHAPES,
  unleash: UNLEASH_SHAPES,
  flagd: FLAGD_SHAPES,
  growthbook: GROWTHBOOK_SHAPES,
  flagsmith: FLAGSMITH_SHAPES,
  goff: GOFF_SHAPES,
  configcat: CONFIGCAT_SHAPES,
}

/** A file of which the kind is known. */
export interface RecognizedFile extends SourceFile {
  readonly kind: string
}

/**
 * Returns the files with their kinds. Throws `UnreadableFile` for a file that is no kind which can be read:
 * its message states what the file is, and how to get the right one.
 */
export const recognizeFiles = (
  system: ImportSystem,
  files: readonly SourceFile[],
): readonly RecognizedFile[] => files.map((file) => recognizeFile(system, file))

function recognizeFile(system: ImportSystem, { data, name }: SourceFile): RecognizedFile {
  const shape = findShape(system, data)
  if (shape && shape.refused === undefined) return { name, data, kind: shape.kind }
  throw new UnreadableFile(`${name} ${problemOf(system, data, shape)} ${describeImportRequests(system)}`)
}

const findShape = (system: ImportSystem, data: unknown): Shape | undefined =>
  SHAPES[system].find(({ fits }) => fits(data))

/** Returns the end of a sentence that begins with the name of the file. */
function problemOf(system: ImportSystem, data: unknown, shape: Shape | undefined): string {
  if (shape) return `is ${shape.what}. ${shape.refused}`
  const other = IMPORT_SYSTEMS.find((one) => one !== system && findShape(one, data))
  const found = other && findShape(other, data)
  const wanted = IMPORT_SYSTEM_NAMES[system]
  if (!found) return `has nothing by which a file of ${wanted} is known.`
  return `is ${found.what}, and not of ${wanted}: choose ${other} for it.`
}
