import { asAdmin } from '../authorization/world.ts'
import type { TestServer } from '../harness/start-test-server.ts'

/**
 * Flags of each kind that an attack could reach: directly, through segments, through missing ones, and
 * archived.
 */
export const PROTECTED = ['plain', 'gated', 'waiting', 'needs', 'gone'] as const
export type Protected = (typeof PROTECTED)[number]

export const RULE = { attribute: 'plan', operator: 'equals', values: ['pro'] }

const FLAGS: Readonly<Record<Protected, object>> = {
  plain: { description: 'Protected', rollout_percentage: 40, tags: ['kept'] },
  gated: { rules: [{ segment_key: 'outer' }] },
  waiting: { rules: [{ segment_key: 'ghost' }] },
  needs: { prerequisites: [{ flag_key: 'plain' }] },
  gone: { description: 'Archived' },
}

/**
 * Creates the protected flags, each with an earlier revision, and their segments: `gated` depends on `outer`
 * and `inner`.
 */
export async function seedProtected(server: TestServer, environment_id: string): Promise<void> {
  const at = `/api/environments/${environment_id}`
  const segment = (key: string, rules: object[]) =>
    asAdmin(server, { path: `${at}/segments`, body: { name: key, key, rules } })
  await segment('inner', [RULE])
  await segment('outer', [{ segment_key: 'inner' }])
  await segment('spare', [RULE])
  for (const key of PROTECTED) {
    await asAdmin(server, { path: `${at}/flags`, body: { key, is_enabled: false } })
    await asAdmin(server, { path: `${at}/flags`, body: { key, is_enabled: true, ...FLAGS[key] } })
  }
  await asAdmin(server, { method: 'POST', path: `${at}/flags/gone/archive` })
}

/** Creates the same keys with other content, where promotions come from; the missing segment exists there. */
export async function seedSource(server: TestServer, environment_id: string): Promise<void> {
  const at = `/api/environments/${environment_id}`
  const body = { name: 'Ghost', key: 'ghost', rules: [RULE] }
  await asAdmin(server, { path: `${at}/segments`, body })
  for (const key of PROTECTED) {
    const flag = { key, is_enabled: false, description: 'Elsewhere', rules: [{ segment_key: 'ghost' }] }
    await asAdmin(server, { path: `${at}/flags`, body: flag })
  }
}

/** Returns the protected flags for SDKs and in the control plane, each as its JSON. */
export async function readProtected(
  server: TestServer,
  { environment_id, sdk_key }: { readonly environment_id: string; readonly sdk_key: string },
): Promise<{ sdks: string[]; stored: string[] }> {
  const sdks = await server.call({ path: '/flags/snapshot', as: { bearer: sdk_key } })
  const stored = await server.call({ path: `/api/environments/${environment_id}/flags` })
  return { sdks: protectedOf(sdks.body), stored: protectedOf(stored.body) }
}

const protectedOf = (flags: { key: string }[]): string[] =>
  Array.isArray(flags) ? flags.filter(({ key }) => isProtected(key)).map((flag) => JSON.stringify(flag)) : []

export const isProtected = (key: string): boolean => PROTECTED.some((known) => known === key)
