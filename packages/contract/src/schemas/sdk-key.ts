import { type Static, Type } from 'typebox'
import { IntegerId, Name, Timestamp, Uuid } from './common.ts'

/** `server` keys are admin-equivalent in their environment; `client` keys are made for browsers (contract, section 4). */
export const SdkKeyKind = Type.Enum(['server', 'client'])

const fields = {
  id: IntegerId,
  name: Type.String(),
  prefix: Type.String({ description: 'Preview of the key, ends with an ellipsis' }),
  kind: SdkKeyKind,
  environment_id: Uuid,
  environment_name: Type.String(),
  created_at: Timestamp,
}

export const SdkKey = Type.Object(fields)
export type SdkKey = Static<typeof SdkKey>

/** The only answer that holds the full key. */
export const CreatedSdkKey = Type.Object({ ...fields, key: Type.String() })
export type CreatedSdkKey = Static<typeof CreatedSdkKey>

export const SdkKeyInput = Type.Object({
  name: Name,
  environment_id: Uuid,
  kind: Type.Optional(SdkKeyKind),
})
export type SdkKeyInput = Static<typeof SdkKeyInput>
