import type {
  accessTokenEndpoints,
  authEndpoints,
  endpoints,
  evaluateEndpoints,
  oneTimeLinkEndpoints,
  passkeyEndpoints,
  scimEndpoints,
  secondFactorEndpoints,
  serviceAccountEndpoints,
  sessionEndpoints,
  setupEndpoints,
  singleSignOnEndpoints,
  userEndpoints,
} from '@burgee/contract'
import { applyHandlers } from '../governance/apply/index.ts'
import { auditHandlers } from '../governance/audit/index.ts'
import { changeRequestHandlers } from '../governance/change-requests/index.ts'
import { impactHandlers } from '../governance/impact/index.ts'
import { importHandlers } from '../governance/import/index.ts'
import { invariantHandlers } from '../governance/invariants/index.ts'
import { incidentHandlers, revertHandlers } from '../governance/revert/index.ts'
import {
  listScheduledChanges,
  requestPlannedChanges,
  scheduledChangeHandlers,
  settleSchedules,
} from '../governance/scheduled-changes/index.ts'
import { apiDocsHandlers } from '../http/responses/api-docs.ts'
import { systemHandlers } from '../http/system-handlers.ts'
import { accessTokenHandlers, deleteUserTokens, revokeOtherTokens } from '../identity/access-tokens/index.ts'
import { userHandlers } from '../identity/accounts/index.ts'
import { authHandlers, passkeyLoginHandlers, sessionHandlers } from '../identity/auth/index.ts'
import { isMappedRole } from '../identity/group-roles/index.ts'
import { oneTimeLinkHandlers } from '../identity/one-time-links/index.ts'
import { scimSettingsHandlers } from '../identity/scim/index.ts'
import { passkeyHandlers, secondFactorHandlers } from '../identity/second-factors/index.ts'
import { serviceAccountHandlers } from '../identity/service-accounts/index.ts'
import { setupHandlers } from '../identity/setup/index.ts'
import { singleSignOnHandlers } from '../identity/single-sign-on/index.ts'
import { createLoadMoment, evaluateHandlers } from '../insight/evaluate/index.ts'
import { exceededBoundHandlers } from '../insight/exceeded-bounds/index.ts'
import { experimentHandlers } from '../insight/experiments/index.ts'
import { lifecycleHandlers } from '../insight/lifecycle/index.ts'
import type { UserActor } from '../kernel/actor.ts'
import { integrationHandlers, webhookHandlers } from '../notification/receivers/index.ts'
import type { EndpointHandlers } from '../platform/replies/endpoint-handler.ts'
import type { Config } from '../platform/settings/config.ts'
import { goalEventHandlers } from '../reporting/goal-events/index.ts'
import { impressionHandlers } from '../reporting/impressions/index.ts'
import { propagationHandlers } from '../reporting/propagation/index.ts'
import { reportHandlers } from '../reporting/report-deletions/index.ts'
import { reduceSeenUsers, seenUserHandlers } from '../reporting/seen-users/index.ts'
import { unknownFlagHandlers } from '../reporting/unknown-flags/index.ts'
import { countKeyStreams, findConnections } from '../serving/connections/index.ts'
import { ofrepHandlers } from '../serving/ofrep/index.ts'
import { createOpenEventStream, createStreamLimits, streamHandlers } from '../serving/stream/index.ts'
import { environmentHandlers } from '../structure/environments/index.ts'
import { memberHandlers } from '../structure/members/index.ts'
import { preferenceHandlers } from '../structure/preferences/index.ts'
import { projectHandlers } from '../structure/projects/index.ts'
import { roleHandlers } from '../structure/roles/index.ts'
import { sdkKeyHandlers } from '../structure/sdk-keys/index.ts'
import { driftNoteHandlers } from '../targeting/drift-notes/index.ts'
import { flagHandlers } from '../targeting/flag-operations/index.ts'
import { manifestHandlers } from '../targeting/manifest/index.ts'
import { segmentHandlers } from '../targeting/segments/index.ts'
import type { Parts } from './create-parts.ts'
import { observeLogins } from './observe-logins.ts'
import { renameAuthor } from './rename-author.ts'

/**
 * Lists the handler of every endpoint of the contract. `isReady` returns whether the server can serve and
 * store.
 */
export function listHandlers(
  config: Config,
  parts: Parts,
  isReady: () => Promise<boolean>,
): EndpointHandlers<typeof endpoints> {
  const { access, clock, flagWrites, hashUser, ingest, lists, live, log, metrics } = parts
  const { deliveries, receivers, streamCounts, workspaceWrites } = parts
  const { maxStreamsPerKey: maxPerKey } = config.connectionLimits
  // The streams of SDKs and the event streams of OFREP share the limit of their key.
  const streams = { ...live, limits: createStreamLimits({ metrics }, { maxPerKey }) }
  return {
    ...systemHandlers({ isReady, metrics }),
    ...apiDocsHandlers(config),
    ...accountHandlers(config, parts),
    ...projectHandlers(workspaceWrites),
    ...invariantHandlers({ ...workspaceWrites, analyses: parts.analyses }),
    ...driftNoteHandlers(workspaceWrites),
    ...exceededBoundHandlers(parts),
    ...memberHandlers(workspaceWrites),
    ...roleHandlers({ ...workspaceWrites, isMappedRole }),
    ...preferenceHandlers(workspaceWrites),
    ...environmentHandlers({
      ...workspaceWrites,
      hasLegacyKey: config.legacySdkKey !== null,
      findConnections: (environment_id) => findConnections(streamCounts, environment_id),
      onEvents: flagWrites.onEvents,
      onSeenUsersSet: reduceSeenUsers,
      requestPlannedChanges: (write, actor, planned) =>
        requestPlannedChanges(flagWrites, write, actor, planned),
    }),
    ...sdkKeyHandlers({
      ...workspaceWrites,
      usesStored: parts.keyUses.stored,
      countStreams: (keyIds) => countKeyStreams(streamCounts, keyIds),
    }),
    ...flagHandlers({ ...lists, clock, sets: live.evaluationSets, writes: flagWrites }),
    ...applyHandlers(flagWrites),
    ...revertHandlers(flagWrites),
    ...incidentHandlers({ ...flagWrites, computePastImpacts: parts.computePastImpacts }),
    ...manifestHandlers({ ...lists, clock, writes: flagWrites }),
    ...evaluationHandlers(parts),
    ...importHandlers(parts),
    ...changeRequestHandlers({ ...lists, clock, impacts: parts.impacts, writes: flagWrites }),
    ...scheduledChangeHandlers({ ...lists, writes: flagWrites }),
    ...experimentHandlers({ ...workspaceWrites, ...lists, log }),
    ...auditHandlers(lists),
    ...webhookHandlers({ ...receivers, onQueued: deliveries.wake }),
    ...integrationHandlers({ ...receivers, sendSample: deliveries.sendSample }),
    ...seenUserHandlers({ ...workspaceWrites, hashUser, seenUsers: parts.seenUsers }),
    ...segmentHandlers({ ...lists, writes: flagWrites }),
    ...impressionHandlers({
      ...ingest.impressions,
      ingest: parts.ingestImpressions,
      lists,
      retentionDays: config.impressionRetentionDays,
    }),
    ...goalEventHandlers(ingest.goal_events),
    ...unknownFlagHandlers({ ...workspaceWrites, acknowledge: parts.acknowledge }),
    ...propagationHandlers({ ...lists, store: parts.clientStore }),
    ...lifecycleHandlers({ ...workspaceWrites, analyses: parts.analyses, log, sets: live.evaluationSets }),
    ...reportHandlers({ ...workspaceWrites, hashUser, log, seenUsers: parts.seenUsers }),
    ...streamHandlers({
      ...streams,
      readable: access.readable,
      clients: parts.sdkClients,
    }),
    ...ofrepHandlers({
      responder: parts.ofrep.responder,
      budget: lists.budget,
      openEvents: createOpenEventStream(streams),
    }),
  }
}

/** Returns the handlers that evaluate without recording anything. */
function evaluationHandlers({
  analyses,
  clock,
  computeImpact,
  db,
  lists,
  live,
}: Parts): EndpointHandlers<typeof evaluateEndpoints> {
  return {
    ...evaluateHandlers({
      ...{ analyses, db, clock },
      budget: lists.budget,
      loadMoment: createLoadMoment({ analyses, clock, db, sets: live.evaluationSets }),
    }),
    ...impactHandlers(computeImpact),
  }
}

type AccountEndpoints = typeof setupEndpoints &
  typeof authEndpoints &
  typeof secondFactorEndpoints &
  typeof passkeyEndpoints &
  typeof singleSignOnEndpoints &
  typeof scimEndpoints &
  typeof sessionEndpoints &
  typeof oneTimeLinkEndpoints &
  typeof userEndpoints &
  typeof accessTokenEndpoints &
  typeof serviceAccountEndpoints

/** Lists the handlers of people and how they sign in. */
function accountHandlers(
  config: Config,
  { access, factors, flagWrites, links, lists, log, workspaceWrites }: Parts,
): EndpointHandlers<AccountEndpoints> {
  const { firstSteps, knownDevices, passwords, sessions } = access
  const { passwordRules } = config
  const accounts = { ...workspaceWrites, passwords, passwordRules, revokeOtherTokens }
  const { cookieSecure, hasPasswordLogin, tokenMaxDays } = config
  const logins = { ...access.passwordLimits, sessions, hasPasswordLogin, cookieSecure }
  const endSessions = sessions.endOthers
  const settle = (actor: UserActor, email: string, wanted: 'keep' | 'cancel') =>
    settleSchedules(flagWrites, actor, { email, wanted })
  return observeLogins(access, {
    ...setupHandlers({ ...accounts, sessions, knownDevices, tokenMaxDays }),
    ...authHandlers({
      ...{ ...accounts, ...logins, knownDevices, firstSteps, factors, endSessions, tokenMaxDays },
    }),
    ...secondFactorHandlers({ ...workspaceWrites, factors, log, mailer: links.mailer }),
    ...passkeyHandlers({ ...workspaceWrites, factors }),
    ...passkeyLoginHandlers({
      ...workspaceWrites,
      ...logins,
      knownDevices,
      firstSteps,
      factors,
      tokenMaxDays,
    }),
    ...singleSignOnHandlers({
      ...accounts,
      ...logins,
      factors,
      groupChanges: links.groupChanges,
      log,
      tokenSeal: access.tokenSeal,
      singleSignOn: access.singleSignOn,
      hasPasswordReset: hasPasswordLogin && links.resets !== null,
    }),
    ...scimSettingsHandlers({ ...workspaceWrites, publicUrl: config.publicUrl }),
    ...sessionHandlers({ ...workspaceWrites, sessions }),
    ...userHandlers({
      ...accounts,
      endSessions,
      deleteTokens: deleteUserTokens,
      settleSchedules: settle,
      listSchedules: (email, page) => listScheduledChanges(lists, { ...page, pendingOf: email }),
    }),
    ...oneTimeLinkHandlers({
      ...accounts,
      ...links,
      log,
      endAllSessions: sessions.endAll,
      deleteTokens: deleteUserTokens,
    }),
    ...accessTokenHandlers({ ...workspaceWrites, tokens: access.tokens, maxDays: tokenMaxDays }),
    ...serviceAccountHandlers({
      ...{ ...workspaceWrites, tokens: access.tokens, maxDays: tokenMaxDays },
      settleSchedules: settle,
      renameAuthor,
    }),
  })
}
