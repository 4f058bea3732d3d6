export type { ImportedEnvironment } from './finish-environment.ts'
export {
  IMPORT_SYSTEMS,
  type ImportOptions,
  type ImportResult,
  type ImportSystem,
  importFiles,
} from './import-files.ts'
export { CLASSES, type Class, type FlagReport, type ImportReport, type Note } from './report.ts'
export { type SourceFile, UnreadableFile } from './system.ts'
