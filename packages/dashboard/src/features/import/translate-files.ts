import type { ImportResult } from '@burgee/contract'
import { call } from '../../shared/api/call.ts'
import { describeTranslation } from './count-flags.ts'
import { fetchWithUpload } from './fetch-with-upload.ts'
import { type ChosenFile, findFileProblem, formatBytes, importBody } from './import-files.ts'
import { findRepeatedName } from './map-environments.ts'
import type { ImportService } from './services.ts'
import type { Progress } from './use-progress.ts'

interface TranslateOptions {
  readonly project_id: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isPartial: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Sends the files to the server, which translates them and stores nothing. */
export async function translateFiles(
  service: ImportService,
  files: readonly ChosenFile[],
  { attributes, isPartial, onProgress, project_id, signal }: TranslateOptions,
): Promise<ImportResult> {
  const body = importBody(service, files, { attributes, isPartial })
  const problem = findFileProblem(body)
  if (problem !== null) throw new Error(problem)
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length
  const label = describeTranslation(service.system, files)
  const report = (share: number) =>
    onProgress(
      share < 1
        ? { share, label: `Sending ${formatBytes(share * bytes)} of ${formatBytes(bytes)}`, canCancel: true }
        : { share: 0, label, canCancel: true },
    )
  report(0)
  const result = await call(
    'importFiles',
    { params: { project_id }, body },
    { signal, fetch: fetchWithUpload(report) },
  )
  const repeated = findRepeatedName(result.environments.map(({ environment }) => environment))
  if (repeated !== null) throw new Error(repeated)
  return result
}
