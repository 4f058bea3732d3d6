import type { WorkspaceWriteDeps } from '../changes/index.ts'
import { createDeliveries as create, type Deliveries } from '../notification/deliveries/index.ts'
import { disableGoneWebhook, toSlackMessage, toTeamsMessage } from '../notification/receivers/index.ts'
import type { Config } from '../platform/settings/config.ts'

type Deps = Omit<Parameters<typeof create>[0], 'proxy' | 'recordGone' | 'toChatMessage'> & {
  readonly workspaceWrites: WorkspaceWriteDeps
}

/** Gives deliveries what webhooks and integrations do for them: features call down only. */
export const createDeliveries = (
  { proxy, publicUrl }: Pick<Config, 'proxy' | 'publicUrl'>,
  { workspaceWrites, ...deps }: Deps,
): Deliveries =>
  create({
    ...deps,
    proxy,
    recordGone: (attempt) => disableGoneWebhook(workspaceWrites, attempt),
    toChatMessage: (kind, occurrence) =>
      kind === 'slack'
        ? toSlackMessage(occurrence, { publicUrl })
        : toTeamsMessage(occurrence, { publicUrl }),
  })
