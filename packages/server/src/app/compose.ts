import type { endpoints, systemEndpoints } from '@burgee/contract'
import type { Basics } from '../changes/index.ts'
import { composeGovernance } from '../governance/compose.ts'
import { composeIdentity } from '../identity/compose.ts'
import { composeInsight } from '../insight/compose.ts'
import { composeNotification } from '../notification/compose.ts'
import type { Domain, Lookup, LookupKind } from '../platform/composition.ts'
import type { PasswordHasher } from '../platform/crypto/password.ts'
import type { EndpointHandlers } from '../platform/replies/endpoint-handler.ts'
import type { Config } from '../platform/settings/config.ts'
import { composeReporting } from '../reporting/compose.ts'
import { composeServing } from '../serving/compose.ts'
import { composeStructure } from '../structure/compose.ts'
import { composeTargeting } from '../targeting/compose.ts'
import { createFlagWrites } from './flag-writes.ts'
import { requireDistinct } from './require-distinct.ts'

interface ComposeDeps {
  readonly passwords: PasswordHasher
  /** Options of Node for child processes, where the server runs from its sources. */
  readonly childArgs: readonly string[] | undefined
  /** The connections to receivers of events that may be open at once. */
  readonly outboundConnections: number
}

/** The endpoints of domains; those of the server itself belong to none. */
type DomainEndpoints = Omit<typeof endpoints, keyof typeof systemEndpoints>

/** The domains, merged. */
export interface Composed extends Pick<DomainRows, 'texts' | 'workers' | 'prune' | 'measures' | 'close'> {
  readonly handlers: EndpointHandlers<DomainEndpoints>
  readonly lookups: Readonly<Record<LookupKind, Lookup>>
  readonly structure: PartsOf<typeof composeStructure>
  readonly reporting: PartsOf<typeof composeReporting>
  readonly identity: PartsOf<typeof composeIdentity>
  readonly serving: PartsOf<typeof composeServing>
}

type DomainRows = Domain<unknown, Record<never, never>>
type PartsOf<Compose extends (...args: never[]) => unknown> =
  Awaited<ReturnType<Compose>> extends { parts: infer Parts } ? Parts : never

/**
 * Composes the domains, each with the parts of those before it, and merges them. Nothing runs by itself yet.
 */
export async function compose(config: Config, basics: Basics, deps: ComposeDeps): Promise<Composed> {
  const { childArgs, outboundConnections: connections, passwords } = deps
  const notification = composeNotification(config, basics, { connections })
  const flags = createFlagWrites(config, basics, notification.parts.wake)
  const { counts, impact, scheduler, writes } = flags
  const structure = composeStructure(config, basics, flags.forStructure)
  const { keyUses, keys } = structure.parts
  const reporting = await composeReporting(config, basics)
  const identity = await composeIdentity(config, basics, { ...flags.forIdentity, keys, passwords })
  const serving = composeServing(config, basics, {
    ...reporting.parts,
    ...identity.parts,
    counts,
    keys,
    keyUses,
  })
  const { sets } = serving.parts
  const targeting = composeTargeting(config, basics, { sets, writes })
  const insight = composeInsight(basics, { sets })
  const governance = composeGovernance(config, basics, { childArgs, impact, scheduler, writes })
  // In the order in which their workers start.
  const domains = [reporting, serving, governance, notification, targeting, structure, identity, insight]
  requireDistinct(domains)
  const handlers = {
    ...structure.handlers,
    ...targeting.handlers,
    ...reporting.handlers,
    ...identity.handlers,
    ...notification.handlers,
    ...insight.handlers,
    ...governance.handlers,
    ...serving.handlers,
  }
  const lookups = {
    ...structure.lookups,
    ...targeting.lookups,
    ...reporting.lookups,
    ...identity.lookups,
    ...notification.lookups,
    ...insight.lookups,
    ...governance.lookups,
    ...serving.lookups,
  } satisfies Readonly<Record<LookupKind, Lookup>>
  return {
    handlers,
    lookups,
    structure: structure.parts,
    reporting: reporting.parts,
    identity: identity.parts,
    serving: serving.parts,
    texts: Object.fromEntries(domains.flatMap(({ texts }) => Object.entries(texts))),
    workers: domains.flatMap(({ workers }) => workers),
    prune: domains.flatMap(({ prune }) => prune),
    measures: domains.flatMap(({ measures }) => measures),
    async close() {
      await Promise.all(domains.map((domain) => domain.close()))
    },
  }
}
