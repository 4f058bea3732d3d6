import { CONTROL_PLANE_FIELDS, type Flag, namesSegment } from '@burgee/contract'
import { listRequirements } from '@burgee/evaluation'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { expandWithOrigins, readSegments, type Segments } from '../rules/index.ts'
import type { EnvironmentRead } from './environment-read.ts'

/** Converts a flag for SDKs. Callers handle archived flags, which are not sent. */
export function toWireFlag(flag: Flag, segments: Segments): WireFlag {
  const { origins, rules } = expandWithOrigins(flag.rules, segments, flag.flag_type)
  const expanded = {
    ...withoutControlPlane(flag),
    rules,
    archived_at: null,
    ...(flag.client_visible === false && { client_visible: flag.client_visible }),
    ...(origins && { origins }),
  }
  const requires = listRequirements(expanded)
  return requires.length > 0 ? { ...expanded, requires } : expanded
}

function withoutControlPlane(flag: Flag): Omit<Flag, (typeof CONTROL_PLANE_FIELDS)[number]> {
  if (!CONTROL_PLANE_FIELDS.some((field) => flag[field] !== undefined)) return flag
  const {
    client_visible: _c,
    expires_at: _e,
    lifetime: _l,
    links: _k,
    managed_by: _m,
    value_schema: _v,
    ...rest
  } = flag
  return rest
}

export const namesSegments = (flag: Pick<Flag, 'rules'>): boolean => flag.rules.some(namesSegment)

/** Expands a flag for the SDKs of the environment. Refuses with `invalid` when it becomes too large. */
export async function expandFlag({ environment, tx }: EnvironmentRead, flag: Flag): Promise<WireFlag> {
  return toWireFlag(flag, namesSegments(flag) ? await readSegments(tx, environment.id) : new Map())
}

/**
 * Refuses with `invalid` a flag that is too large to send: before it is stored for later, as before a direct
 * write.
 */
export async function requireSendable(read: EnvironmentRead, flag: Flag | null): Promise<void> {
  if (flag?.archived_at === null) await expandFlag(read, flag)
}
