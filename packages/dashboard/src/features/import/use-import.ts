import type { Environment, ImportResult } from '@burgee/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../shared/api/call.ts'
import { refresh } from '../../shared/api/queries.ts'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { type AppliedPlan, applyImport } from './apply-import.ts'
import { type ChosenFile, findFileProblem, importBody } from './import-files.ts'
import type { EnvironmentPlan } from './import-plan.ts'
import { findRepeatedName, type Mapping, suggestMapping } from './map-environments.ts'
import { type Progress, previewImport } from './preview-import.ts'
import type { ImportService } from './services.ts'

/** The step of the import, with what is known by then. Nothing is stored before the last one. */
export type Stage =
  | { readonly kind: 'files' }
  | { readonly kind: 'environments'; readonly result: ImportResult }
  | { readonly kind: 'review'; readonly result: ImportResult; readonly plans: readonly EnvironmentPlan[] }
  | { readonly kind: 'done'; readonly result: ImportResult; readonly applied: readonly AppliedPlan[] }

export interface ImportState {
  readonly stage: Stage
  readonly files: readonly ChosenFile[]
  readonly mapping: Mapping
  /** Null while nothing is under way. */
  readonly progress: Progress | null
  /** The failure of the last step; null without one. */
  readonly failure: unknown
  /** The environments that were written before something went wrong. */
  readonly applied: readonly AppliedPlan[]
  setFiles(files: readonly ChosenFile[]): void
  setMapping(mapping: Mapping): void
  translate(service: ImportService, attributes: Readonly<Record<string, string>>): Promise<void>
  preview(result: ImportResult): Promise<void>
  apply(plans: readonly EnvironmentPlan[], result: ImportResult, comment: string | undefined): Promise<void>
  goTo(stage: Stage): void
}

/** The steps of an import: files, environments, the report with its preview, and the write. */
export function useImport(): ImportState {
  const { environments, project_id } = useScope()
  const client = useQueryClient()
  const targets = useWritableEnvironments()
  const [stage, setStage] = useState<Stage>({ kind: 'files' })
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [mapping, setMapping] = useState<Mapping>(new Map())
  const [applied, setApplied] = useState<readonly AppliedPlan[]>([])
  const { failure, progress, run, setFailure, setProgress } = useProgress()
  return {
    ...{ stage, files, mapping, progress, failure, applied, setMapping },
    setFiles: (chosen) => {
      setFailure(null)
      setFiles(chosen)
    },
    goTo: (next) => {
      setFailure(null)
      setStage(next)
    },
    translate: (service, attributes) =>
      run('Translating the files', async () => {
        const body = importBody(service, files, attributes)
        const problem = findFileProblem(body)
        if (problem !== null) throw new Error(problem)
        const result = await call('importFiles', { params: { project_id }, body })
        const sources = result.environments.map(({ environment }) => environment)
        const repeated = findRepeatedName(sources)
        if (repeated !== null) throw new Error(repeated)
        setMapping(suggestMapping(sources, targets))
        setStage({ kind: 'environments', result })
      }),
    preview: (result) =>
      run('Starting the preview', async () => {
        const plans = await previewAll(result, { project_id, environments, mapping, onProgress: setProgress })
        setApplied([])
        setStage({ kind: 'review', result, plans })
      }),
    apply: (plans, result, comment) =>
      run('Starting the import', async () => {
        const done: AppliedPlan[] = []
        setApplied(done)
        try {
          await applyImport(plans, {
            comment,
            onProgress: setProgress,
            onApplied: (one) => done.push(one),
          })
          setStage({ kind: 'done', result, applied: done })
        } finally {
          setApplied([...done])
          void refresh(client, 'listFlags', 'listSegments', 'listChangeRequests')
        }
      }),
  }
}

/** The environments in which the person may import. */
function useWritableEnvironments(): readonly Environment[] {
  const { environments } = useScope()
  const mayIn = usePermissionsIn()
  return environments.filter(({ id }) => mayIn('applyEnvironment', id).isAllowed)
}

interface PreviewAll {
  readonly project_id: string
  readonly environments: readonly Environment[]
  readonly mapping: Mapping
  readonly onProgress: (progress: Progress) => void
}

async function previewAll(
  result: ImportResult,
  { environments, mapping, onProgress, project_id }: PreviewAll,
): Promise<EnvironmentPlan[]> {
  const plans: EnvironmentPlan[] = []
  const chosen = result.environments.flatMap((imported) => {
    const target = environments.find(({ id }) => id === mapping.get(imported.environment))
    return target ? [{ imported, target }] : []
  })
  for (const [position, { imported, target }] of chosen.entries()) {
    const report = (share: number) =>
      onProgress({ share: (position + share) / chosen.length, label: `Comparing with ${target.name}` })
    report(0)
    plans.push(await previewImport({ project_id, imported, target, onProgress: report }))
  }
  return plans
}

/** Runs one step at a time, and keeps its progress and its failure. */
function useProgress() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const run = async (label: string, work: () => Promise<void>) => {
    setFailure(null)
    setProgress({ share: 0, label })
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      setProgress(null)
    }
  }
  return { progress, failure, run, setFailure, setProgress }
}
