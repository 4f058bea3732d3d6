import { type EvaluateInput, type evaluateEndpoints, TRACED_FLAGS_DEFAULT } from '@burgee/contract'
import type { Attributes } from '@burgee/evaluation'
import type { Kysely } from 'kysely'
import { actorIdentity } from '../../kernel/actor.ts'
import { toInstant } from '../../kernel/instant.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Analyses } from '../../platform/concurrency/analyses.ts'
import type { ResponseBudget } from '../../platform/concurrency/response-budget.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { EndpointHandlers } from '../../platform/replies/endpoint-handler.ts'
import { findRecorded, type RecordedEvaluation } from '../../reporting/impressions/index.ts'
import { evaluateHistory } from './evaluate-history.ts'
import { evaluateMoment } from './evaluate-moment.ts'
import type { LoadMoment } from './moment.ts'
import type { MomentFlags } from './moment-flags.ts'
import { replyInPieces } from './reply-in-pieces.ts'

interface EvaluateDeps {
  readonly db: Kysely<Database>
  readonly clock: Pick<Clock, 'monotonicMs' | 'now'>
  readonly loadMoment: LoadMoment
  readonly analyses: Analyses
  readonly budget: ResponseBudget
}

export function evaluateHandlers({
  analyses,
  budget,
  clock,
  db,
  loadMoment,
}: EvaluateDeps): Pick<
  EndpointHandlers<typeof evaluateEndpoints>,
  'evaluateEnvironment' | 'evaluateHistory'
> {
  return {
    async evaluateHistory({ actor, body, scope }) {
      const replay = () => evaluateHistory({ clock, db }, scope.environment.id, body)
      return { status: 200, body: await analyses.run(actorIdentity(actor), replay) }
    },
    async evaluateEnvironment({ actor, body, scope }) {
      const { at, attributes = {}, flag_keys = null, revision, trace, user_key = null } = body
      const environment_id = scope.environment.id
      // Whatever JSON has is read as SDKs read it: what is no attribute counts as absent.
      const user = { userKey: user_key, attributes: attributes as Attributes }
      const withTrace = trace ?? (flag_keys !== null && flag_keys.length <= TRACED_FLAGS_DEFAULT)
      const instant = at === undefined ? clock.now().toISOString() : toInstant(at)
      return replyInPieces(budget, async () => {
        const loaded = await loadMoment(environment_id, {
          caller: actorIdentity(actor),
          ...{ at, revision, keys: flag_keys },
        })
        const moment = await withRecorded(db, loaded, body)
        const results = await evaluateMoment(moment, { ...user, keys: flag_keys, withTrace })
        const head = JSON.stringify({
          environment_id,
          revision: results.revision,
          at: instant,
          ...(moment.past?.notice && { notice: moment.past.notice }),
        })
        return {
          before: `${head.slice(0, -1)},"flags":[`,
          items: results.items,
          after: ']}',
          heldBytes: withTrace ? (moment.past?.textBytes ?? 0) : 0,
          canBuildAgain: moment.past === undefined,
          onPause: results.keep,
        }
      })
    },
  }
}

/** Adds what SDKs reported of the user around the moment: evidence beside what is computed. */
async function withRecorded(
  db: Kysely<Database>,
  moment: MomentFlags,
  { at, flag_keys, user_key }: EvaluateInput,
): Promise<MomentFlags> {
  const { past } = moment
  if (!past || at === undefined || flag_keys === undefined || typeof user_key !== 'string') return moment
  const rows = await findRecorded(db, moment.environment_id, { at: toInstant(at), flag_keys, user_key })
  const byFlag = new Map<string, Omit<RecordedEvaluation, 'flag_key'>[]>()
  for (const { flag_key, ...row } of rows) byFlag.set(flag_key, [...(byFlag.get(flag_key) ?? []), row])
  const ofFlag = (key: string) => ({ ...past.ofFlag(key), recorded: byFlag.get(key) ?? [] })
  return { ...moment, past: { ...past, ofFlag } }
}
