import type { ImportSystem } from '@burgee/contract'
import { CONFIGCAT } from './configcat.ts'
import type { EngineKind } from './engine.ts'
import { FLAGD } from './flagd.ts'
import { GROWTHBOOK } from './growthbook.ts'
import { LAUNCHDARKLY } from './launchdarkly.ts'
import { UNLEASH } from './unleash.ts'

/** The engines by service. The others have none that evaluates their files without a server. */
export const ENGINES: Readonly<Partial<Record<ImportSystem, EngineKind>>> = {
  configcat: CONFIGCAT,
  flagd: FLAGD,
  growthbook: GROWTHBOOK,
  launchdarkly: LAUNCHDARKLY,
  unleash: UNLEASH,
}
