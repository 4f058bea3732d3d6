import type { Kysely } from 'kysely'
import type { SdkKeyActor } from '../../kernel/actor.ts'
import type { EvaluationSets } from '../../kernel/evaluation-set.ts'
import type { Database } from '../../platform/db/tables.ts'
import type { UnknownFlagCounter } from '../../reporting/unknown-flags/index.ts'
import { createEvaluator } from './evaluator.ts'
import { createNumberFlags } from './number-flags.ts'
import type { ImpressionRecorder } from './record-impressions.ts'
import { createResponder, type Responder } from './responder.ts'
import type { Tickets } from './tickets.ts'

/** Evaluation for OFREP: its responder, and the tickets of its event streams. */
export interface Ofrep {
  readonly responder: Responder
  readonly impressions: ImpressionRecorder
  readonly unknownFlags: UnknownFlagCounter
  /** Finds the SDK key for which a ticket was issued; null for an invalid ticket or a revoked key. */
  findTicket(ticket: string): Promise<SdkKeyActor | null>
}

interface OfrepDeps {
  readonly db: Kysely<Database>
  readonly sets: EvaluationSets
  readonly tickets: Tickets
  readonly impressions: ImpressionRecorder
  readonly unknownFlags: UnknownFlagCounter
  readonly findKeyById: (key_id: number | null) => Promise<SdkKeyActor | null>
}

export function createOfrep(deps: OfrepDeps): Ofrep {
  const { findKeyById, impressions, sets, tickets, unknownFlags } = deps
  const numbers = createNumberFlags(deps)
  const evaluator = createEvaluator()
  return {
    responder: createResponder({ sets, numbers, evaluator, impressions, tickets, unknownFlags }),
    impressions,
    unknownFlags,
    async findTicket(ticket) {
      const key_id = tickets.open(ticket)
      return key_id === undefined ? null : findKeyById(key_id)
    },
  }
}
