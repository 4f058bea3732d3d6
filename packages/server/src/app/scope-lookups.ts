import type { Kysely } from 'kysely'
import { changeRequestExists } from '../governance/change-requests/index.ts'
import { invariantExists } from '../governance/invariants/index.ts'
import { scheduledChangeExists } from '../governance/scheduled-changes/index.ts'
import type { ScopeLookups } from '../http/requests/resolve-scope.ts'
import { accessTokenExists, userTokenExists } from '../identity/access-tokens/index.ts'
import { groupMappingExists } from '../identity/group-roles/index.ts'
import { passkeyExists } from '../identity/second-factors/index.ts'
import { serviceAccountExists } from '../identity/service-accounts/index.ts'
import { experimentExists } from '../insight/experiments/index.ts'
import { projectFlagExists } from '../insight/lifecycle/index.ts'
import type { Actor } from '../kernel/actor.ts'
import { CHAT, receiverExists, WEBHOOK, webhookDeliveryExists } from '../notification/receivers/index.ts'
import { rowExists } from '../platform/db/row-exists.ts'
import type { Database } from '../platform/db/tables.ts'
import { unknownFlagExists } from '../reporting/unknown-flags/index.ts'
import { findEnvironmentScope, findNameIn } from '../structure/environments/index.ts'
import { memberExists } from '../structure/members/index.ts'
import { findProjectScope } from '../structure/projects/index.ts'
import { roleExists } from '../structure/roles/index.ts'
import { sdkKeyExists } from '../structure/sdk-keys/index.ts'
import { flagExists } from '../targeting/flags/index.ts'
import { segmentExists } from '../targeting/segments/index.ts'

/** Creates the look-ups of what paths name, each through the public interface of its feature. */
export function scopeLookups(db: Kysely<Database>): ScopeLookups {
  return {
    findProject: (project_id, user_id) => findProjectScope(db, project_id, user_id),
    findEnvironment: (environment_id, user_id) => findEnvironmentScope(db, environment_id, user_id),
    environmentName: (project_id, environment_id) => findNameIn(db, { project_id, environment_id }),
    exists: {
      flag: ({ params, scope }) => flagExists(db, scope?.environment?.id ?? '', String(params.key)),
      segment: ({ params, scope }) => segmentExists(db, scope?.environment?.id ?? '', String(params.key)),
      sdk_key: ({ params, scope }) => sdkKeyExists(db, scope?.project_id ?? '', Number(params.id)),
      member: ({ params, scope }) => memberExists(db, scope?.project_id ?? '', Number(params.user_id)),
      role: ({ params }) => roleExists(db, String(params.key)),
      group_mapping: ({ params }) => groupMappingExists(db, Number(params.id)),
      user: ({ params }) => rowExists(db, 'users', { id: Number(params.id), kind: 'person' }),
      access_token: ({ actor, params }) => accessTokenExists(db, actor, Number(params.id)),
      user_token: ({ params }) =>
        userTokenExists(db, { user_id: Number(params.id), id: Number(params.token_id), kind: 'person' }),
      service_account: ({ params }) => serviceAccountExists(db, Number(params.id)),
      service_account_token: ({ params }) =>
        userTokenExists(db, {
          ...{ user_id: Number(params.id), id: Number(params.token_id) },
          kind: 'service_account',
        }),
      session: ({ actor, params }) => rowExists(db, 'sessions', { id: String(params.id), ...ownedBy(actor) }),
      user_session: ({ params }) =>
        rowExists(db, 'sessions', { id: String(params.session_id), user_id: Number(params.id) }),
      passkey: ({ actor, params }) =>
        passkeyExists(db, actor?.kind === 'user' ? actor.user_id : null, Number(params.id)),
      change_request: ({ params, scope }) =>
        changeRequestExists(db, scope?.environment?.id ?? '', Number(params.id)),
      experiment: ({ params, scope }) =>
        experimentExists(db, scope?.environment?.id ?? '', String(params.key)),
      webhook: ({ params, scope }) =>
        receiverExists(db, WEBHOOK.tables, {
          environment_id: scope?.environment?.id ?? '',
          id: String(params.id),
        }),
      webhook_delivery: ({ params, scope }) =>
        webhookDeliveryExists(db, scope?.environment?.id ?? '', {
          webhook_id: String(params.id),
          id: Number(params.delivery_id),
        }),
      integration: ({ params, scope }) =>
        receiverExists(db, CHAT.tables, {
          environment_id: scope?.environment?.id ?? '',
          id: String(params.id),
        }),
      scheduled_change: ({ params, scope }) =>
        scheduledChangeExists(db, scope?.environment?.id ?? '', String(params.id)),
      unknown_flag: ({ params, scope }) =>
        unknownFlagExists(db, scope?.environment?.id ?? '', String(params.key)),
      invariant: ({ params, scope }) => invariantExists(db, scope?.project_id ?? '', String(params.key)),
      project_flag: ({ params, scope }) => projectFlagExists(db, scope?.project_id ?? '', String(params.key)),
    },
  }
}

/** A user has what is theirs. Others are refused by its access. */
const ownedBy = (actor: Actor | null) => (actor?.kind === 'user' ? { user_id: actor.user_id } : {})
