import {
  type CleanupPlan,
  type Environment,
  type lifecycleEndpoints,
  type ReferencesInput,
  STALE_DAYS_DEFAULT,
  STALE_MAX_AGE_SECONDS,
} from '@burgee/contract'
import { type WorkspaceWriteDeps, writeWorkspace } from '../../changes/index.ts'
import { type Actor, actorIdentity } from '../../kernel/actor.ts'
import type { EvaluationSets } from '../../kernel/evaluation-set.ts'
import { conflict, notFound, Refusal } from '../../kernel/refusal.ts'
import { mayInEnvironment, type ProjectScope } from '../../kernel/scope.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import { inShortTurns } from '../../platform/concurrency/turns.ts'
import type { Log } from '../../platform/log/log.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { listEnvironments } from '../../structure/environments/index.ts'
import { assessFlag, type Window } from './assess-flag.ts'
import { planCleanup } from './cleanup-plan.ts'
import { createConstants } from './constants.ts'
import { decideDrifts } from './decide-drifts.ts'
import { loadFacts } from './load-facts.ts'
import { readInEnvironments } from './project-flag.ts'
import { findFingerprint, projectFlagExists } from './queries.ts'
import {
  findRepository,
  listReferences,
  replaceReferences,
  type StoredReference,
} from './reference-queries.ts'
import { assessAll, hideUnreadable, keepReadable } from './stale-list.ts'
import { createStaleReports, type StaleReport, type StaleReports } from './stale-reports.ts'

const DAY_MS = 24 * 60 * 60_000
const WEEK_DAYS = 7

interface FlagRequest {
  readonly actor: Actor
  readonly scope: ProjectScope
  readonly key: string
  readonly days: number | undefined
}

interface LifecycleDeps extends WorkspaceWriteDeps {
  readonly sets: Pick<EvaluationSets, 'get' | 'whenReached'>
  readonly analyses: Analyses
  readonly log: Log
}

export function lifecycleHandlers(deps: LifecycleDeps): EndpointHandlers<typeof lifecycleEndpoints> {
  const { clock, db } = deps
  const constants = createConstants(deps.sets)
  const reports = createReports()
  return {
    async listStaleFlags({ actor, query, scope }) {
      const { days = STALE_DAYS_DEFAULT, max_age = STALE_MAX_AGE_SECONDS } = query
      const { computed_at, flags } = await reports.get({
        ...{ project_id: scope.project_id, days, caller: actorIdentity(actor) },
        maxAgeMs: max_age * 1000,
      })
      const readable = await inShortTurns(keepReadable(flags, (id) => mayRead(actor, scope, id)))
      return { status: 200, body: readable, headers: { 'x-computed-at': computed_at } }
    },
    async getProjectFlag({ actor, params, query, scope }) {
      const request = { actor, scope, key: params.key, days: query.days }
      const { environments, assessed, references } = await assessOne(request)
      const readable = environments.filter(({ id }) => mayRead(actor, scope, id))
      const since = windowOf(WEEK_DAYS).since
      const inEnvironments = await readInEnvironments(db, { environments: readable, key: params.key, since })
      const drifts = await driftsOf(readable, params.key)
      const places = inEnvironments.map((place) => ({ ...place, ...drifts.get(place.environment_id) }))
      return { status: 200, body: { ...assessed, environments: places, references } }
    },
    async getCleanupPlan({ actor, params, query, scope }) {
      const { assessed, references } = await assessOne({ actor, scope, key: params.key, days: query.days })
      return { status: 200, body: planCleanup(assessed, references) }
    },
    async putReferences({ actor, body, params, scope }) {
      await storeReferences(deps, actor, { project_id: scope.project_id, repo: params.repo, input: body })
      return { status: 200, body: { repo: params.repo, references: body.references.length } }
    },
  }

  function createReports(): StaleReports {
    return createStaleReports({
      clock,
      fingerprint: (project_id) => findFingerprint(db, project_id),
      compute: ({ caller, days, project_id }) => deps.analyses.run(caller, () => report(project_id, days)),
      onError(err) {
        if (!(err instanceof Refusal)) deps.log.warn({ err }, 'the report of stale flags was not computed')
      },
    })
  }

  async function report(project_id: string, days: number): Promise<StaleReport> {
    const window = windowOf(days)
    const environments = await listEnvironments(db, project_id)
    const loaded = await loadFacts({ db, constants }, { project_id, key: null, environments }, window)
    const flags = await inShortTurns(assessAll(loaded.flags, window))
    return { computed_at: window.now, flags, isWhole: loaded.isWhole }
  }

  function windowOf(days = STALE_DAYS_DEFAULT): Window {
    const now = clock.now()
    return { days, now: now.toISOString(), since: new Date(now.getTime() - days * DAY_MS).toISOString() }
  }

  async function driftsOf(readable: readonly Environment[], key: string) {
    const standard = readable.find(({ is_default }) => is_default)
    if (!standard) return new Map<string, never>()
    return decideDrifts(deps, { key, standardId: standard.id, ids: readable.map(({ id }) => id) })
  }

  async function assessOne({ actor, days, key, scope }: FlagRequest) {
    const { project_id } = scope
    if (!(await projectFlagExists(db, project_id, key))) throw notFound('flag')
    const window = windowOf(days)
    const environments: readonly Environment[] = await listEnvironments(db, project_id)
    const loaded = await loadFacts({ db, constants }, { project_id, key, environments }, window)
    const [known = { flag_key: key, environments: [], dependants: [] }] = loaded.flags
    const assessed = hideUnreadable(assessFlag(known, window), (id) => mayRead(actor, scope, id))
    const references = (await listReferences(db, project_id, key)).map(toReference)
    return { environments, assessed, references }
  }
}

const mayRead = (actor: Actor, scope: ProjectScope, environment_id: string): boolean =>
  mayInEnvironment(actor, scope, 'read_environment', environment_id)

function toReference({
  commit,
  line,
  path,
  repo,
  text,
  url_template,
}: StoredReference): CleanupPlan['references'][number] {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  const url = url_template
    ?.replaceAll('{commit}', encodeURIComponent(commit))
    .replaceAll('{path}', () => encoded)
    .replaceAll('{line}', String(line))
  return { repo, commit, path, line, text, url: url ?? null }
}

async function storeReferences(
  deps: WorkspaceWriteDeps,
  actor: Actor,
  {
    input,
    project_id,
    repo,
  }: { readonly project_id: string; readonly repo: string; readonly input: ReferencesInput },
): Promise<void> {
  await writeWorkspace(deps, actor, async ({ now, tx }) => {
    const { before, hasRoom } = await findRepository(tx, project_id, repo)
    if (!before && !hasRoom)
      throw conflict('The project has references of 100 repositories already. Use one of their names.')
    await replaceReferences(tx, { project_id, repo, now }, input)
    const { branch, commit, references } = input
    return {
      result: undefined,
      audit: {
        project_id,
        environment_id: null,
        action: 'update',
        before: before ? { ...before } : null,
        after: { repo, commit, branch, references: references.length },
        metadata: { origin: 'direct', resource: `references:${repo}` },
      },
      changesAccess: false,
    }
  })
}
