import { CONTROL_PLANE_FIELDS, type Flag, namesSegment } from '@burgee/contract'
import { listRequirements } from '@burgee/evaluation'
import type { WireFlag } from '../../kernel/wire-flag.ts'
import { expandWithOrigins, type Segments } from '../rules/index.ts'

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
