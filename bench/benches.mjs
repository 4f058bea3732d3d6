import { dashboard } from './dashboard/load.mjs'
import { evaluation } from './evaluation/evaluation.mjs'
import { importFlags } from './import/translate.mjs'
import { confirmations } from './server/confirmations.mjs'
import { evaluate } from './server/evaluate.mjs'
import { impact } from './server/impact.mjs'
import { ingest } from './server/ingest.mjs'
import { manyFlags } from './server/many-flags.mjs'
import { ofrep } from './server/ofrep.mjs'
import { openfeature } from './server/openfeature.mjs'
import { propagation } from './server/propagation.mjs'
import { snapshot } from './server/snapshot.mjs'
import { start } from './server/start.mjs'
import { streams } from './server/streams.mjs'
import { tenMillion } from './server/ten-million.mjs'
import { timeTravel } from './server/time-travel.mjs'
import { webhooks } from './server/webhooks.mjs'
import { writes } from './server/writes.mjs'
import { aaSimulation } from './statistics/aa-simulation.mjs'

/**
 * The benches by name. One has `sections` of rows that are measured again and again, or a `run` that returns
 * whole tables.
 */
export const BENCHES = {
  evaluation,
  propagation,
  confirmations,
  streams,
  snapshot,
  ofrep,
  evaluate,
  'time-travel': timeTravel,
  impact,
  writes,
  webhooks,
  openfeature,
  'many-flags': manyFlags,
  ingest,
  'ten-million': tenMillion,
  start,
  statistics: aaSimulation,
  import: importFlags,
  dashboard,
}
