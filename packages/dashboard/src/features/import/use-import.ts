import type { Environment, ImportResult } from '@burgee/contract'
import { useState } from 'react'
import { usePermissionsIn } from '../../shared/scope/use-permissions.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { type AppliedPlan, applyImport } from './apply-import.ts'
import {
  EMPTY_DRAFT,
  type ImportDraft,
  isSameContent,
  isSameSource,
  NO_CHOICES,
  type Translation,
} from './import-draft.ts'
import type { EnvironmentPlan } from './import-plan.ts'
import { suggestMapping } from './map-environments.ts'
import { previewAll } from './preview-import.ts'
import type { ImportService } from './services.ts'
import { translateFiles } from './translate-files.ts'
import { type Progress, useProgress } from './use-progress.ts'

/** The step of the import, with what is known by then. Nothing is stored before the last one. */
export type Stage =
  | { readonly kind: 'files' }
  | { readonly kind: 'environments'; readonly result: ImportResult }
  | { readonly kind: 'review'; readonly result: ImportResult; readonly plans: readonly EnvironmentPlan[] }
  | { readonly kind: 'done'; readonly result: ImportResult; readonly applied: readonly AppliedPlan[] }

export interface ImportState {
  readonly stage: Stage
  readonly draft: ImportDraft
  /** Null while nothing is under way. */
  readonly progress: Progress | null
  /** The failure of the last step; null without one. */
  readonly failure: unknown
  /** The environments that were written before something went wrong. */
  readonly applied: readonly AppliedPlan[]
  /** Changes choices, and hides the failure of the last step where they may have caused it. */
  change(choices: Partial<ImportDraft>): void
  /** Returns whether the files are translated already, with these names of attributes. */
  isTranslated(service: ImportService, attributes: Readonly<Record<string, string>>): boolean
  /** Goes to the environments: at once where the files are translated already. */
  translate(service: ImportService, attributes: Readonly<Record<string, string>>): Promise<void>
  /** Compares with the environments: with the override of the draft, unless another is given. */
  preview(result: ImportResult, override?: Pick<ImportDraft, 'overrideReason'>): Promise<void>
  apply(plans: readonly EnvironmentPlan[], result: ImportResult, comment: string | undefined): Promise<void>
  goTo(stage: Stage): void
  /** Stops a translation or a comparison. Nothing is stored by these. */
  cancel(): void
  /** Begins another import. */
  restart(): void
}

/** The steps of an import: files, environments, the report with its preview, and the write. */
export function useImport(): ImportState {
  const { environments, project_id } = useScope()
  const [stage, setStage] = useState<Stage>({ kind: 'files' })
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const { run, setFailure, setProgress, ...work } = useProgress()
  const change = (choices: Partial<ImportDraft>) => setDraft((before) => ({ ...before, ...choices }))
  const goTo = (next: Stage) => {
    setFailure(null)
    setStage(next)
  }
  const translation = useTranslation({ draft, change, goTo, run, setProgress })
  const { applied, apply, forget } = useApply({ goTo, run, setProgress })
  return {
    ...{ stage, draft, goTo, applied, apply },
    ...translation,
    ...work,
    change: (choices) => {
      if (choices.files || choices.names !== undefined || choices.isPartial !== undefined) setFailure(null)
      change(choices)
    },
    preview: (result, { overrideReason } = draft) =>
      run('Starting the preview', async (signal) => {
        const { mapping } = draft
        const input = { project_id, environments, mapping, overrideReason, signal, onProgress: setProgress }
        const plans = await previewAll(result, input)
        forget()
        change({ overrideReason })
        goTo({ kind: 'review', result, plans })
      }),
    restart: () => {
      forget()
      setDraft(EMPTY_DRAFT)
      goTo({ kind: 'files' })
    },
  }
}

type Work = Pick<ReturnType<typeof useProgress>, 'run' | 'setProgress'> & Pick<ImportState, 'goTo'>

/** Keeps the last translation, so that the same files are not sent again. */
function useTranslation({
  change,
  draft,
  goTo,
  run,
  setProgress,
}: Work & Pick<ImportState, 'draft' | 'change'>): Pick<ImportState, 'isTranslated' | 'translate'> {
  const { project_id } = useScope()
  const targets = useWritableEnvironments()
  const [last, setLast] = useState<Translation | null>(null)
  type Names = Translation['attributes']
  const sourceOf = ({ system }: ImportService, attributes: Names) => ({
    ...{ system, attributes, files: draft.files, isPartial: draft.isPartial },
  })
  return {
    isTranslated: (service, attributes) => last !== null && isSameSource(last, sourceOf(service, attributes)),
    translate: async (service, attributes) => {
      const source = sourceOf(service, attributes)
      if (last && isSameSource(last, source)) return goTo({ kind: 'environments', result: last.result })
      await run('Reading the files', async (signal) => {
        const { files, isPartial } = draft
        const options = { project_id, attributes, isPartial, signal, onProgress: setProgress }
        const result = await translateFiles(service, files, options)
        const sources = result.environments.map(({ environment }) => environment)
        if (!last || !isSameContent(last, source))
          change({ ...NO_CHOICES, mapping: suggestMapping(sources, targets) })
        setLast({ ...source, result })
        goTo({ kind: 'environments', result })
      })
    },
  }
}

/** Writes the import, and keeps what was written before something went wrong. */
function useApply({ goTo, run, setProgress }: Work) {
  const [applied, setApplied] = useState<readonly AppliedPlan[]>([])
  const apply: ImportState['apply'] = (plans, result, comment) =>
    run('Starting the import', async () => {
      const done: AppliedPlan[] = []
      setApplied(done)
      try {
        await applyImport(plans, {
          comment,
          onProgress: setProgress,
          onApplied: (one) => done.push(one),
        })
        goTo({ kind: 'done', result, applied: done })
      } finally {
        setApplied([...done])
      }
    })
  return { applied, apply, forget: () => setApplied([]) }
}

/** The environments in which the person may import. */
function useWritableEnvironments(): readonly Environment[] {
  const { environments } = useScope()
  const mayIn = usePermissionsIn()
  return environments.filter(({ id }) => mayIn('applyEnvironment', id).isAllowed)
}
