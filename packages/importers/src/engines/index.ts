import type { ImportSystem } from '@burgee/contract'
import { CONFIGCAT } from './configcat.ts'
import type { EngineKind } from './engine.ts'
import { FLAGD } from './flagd.ts'
import { FLAGSMITH } from './flagsmith.ts'
import { GROWTHBOOK } from './growthbook.ts'
import { LAUNCHDARKLY } from './launchdarkly.ts'
import { UNLEASH } from './unleash.ts'

/** The engines by service. GO Feature Flag has none on npm. */
export const ENGINES: Readonly<Partial<Record<ImportSystem, EngineKind>>> = {
  configcat: CONFIGCAT,
  flagd: FLAGD,
  flagsmith: FLAGSMITH,
  growthbook: GROWTHBOOK,
  launchdarkly: LAUNCHDARKLY,
  unleash: UNLEASH,
}
