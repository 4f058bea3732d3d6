import type { Environment, SdkKey } from '@burgee/contract'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { hasStatus } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { type Permission, usePermissionsIn } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Gated } from '../../../shared/ui/gated.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import type { OrphanedKeys } from './key-tree.ts'
import { ShortKeyList } from './short-key-list.tsx'

interface OrphansNoticeProps {
  readonly orphans: OrphanedKeys
  readonly environments: readonly Environment[]
  /** The number of the project's keys. */
  readonly total: number
}

/** After a leak: the leaked key is revoked, and the keys that were created with it still work. */
export function OrphansNotice({ orphans, environments, total }: OrphansNoticeProps) {
  const { keys } = orphans
  const one = keys.length === 1
  const mayIn = usePermissionsIn()
  const permissions = keys.map(({ environment_id }) => mayIn('revokeSdkKey', environment_id))
  const permission =
    permissions.find(({ isAllowed }) => !isAllowed) ?? (keys.length === total ? KEEP_ONE : ALLOWED)
  const confirmRevoke = useOrphansRevocation(orphans, environments)
  return (
    <Alert
      variant="light"
      color="yellow"
      icon={<IconAlertTriangle size={18} />}
      title={one ? 'A key was created with a revoked key' : TITLE_OF_MANY(keys.length)}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {one ? 'It still works' : 'They still work'}. If the revoked key leaked, revoke{' '}
          {one ? 'it' : 'them'} too.
        </Text>
        <ShortKeyList keys={keys} label="Keys that were created with a revoked key" />
        <Gated permission={permission}>
          <Button size="xs" color="red" variant="light" onClick={confirmRevoke}>
            {one ? 'Revoke this key' : `Revoke these ${keys.length} keys`}
          </Button>
        </Gated>
      </Stack>
    </Alert>
  )
}

const TITLE_OF_MANY = (count: number) => `${count} keys were created with a revoked key`

const ALLOWED: Permission = { isAllowed: true }
const KEEP_ONE: Permission = {
  isAllowed: false,
  reason: 'These are all keys of the project. Create another one first.',
}

function useOrphansRevocation({ keys, roots }: OrphanedKeys, environments: readonly Environment[]) {
  const { project_id } = useScope()
  const client = useQueryClient()
  const reached = new Set(keys.map(({ environment_id }) => environment_id))
  const production = environments.find((each) => reached.has(each.id) && isProduction(each))
  const revoke = async ({ id }: SdkKey) => {
    const params = { project_id, id }
    await call('revokeSdkKey', { params, query: { children: true } }).catch((error: unknown) => {
      if (!hasStatus(error, 404)) throw error
      // Someone else did it first.
      return refresh(client, 'listSdkKeys')
    })
  }
  return () =>
    confirm({
      title: keys.length === 1 ? 'Revoke this SDK key?' : `Revoke ${keys.length} SDK keys?`,
      children:
        'Everything that uses them stops receiving flags within a second, and cannot connect again. This cannot be undone.',
      confirmLabel: keys.length === 1 ? 'Revoke SDK key' : 'Revoke SDK keys',
      ...(production && { typed: production.slug }),
      onConfirm: async () => {
        for (const root of roots) await revoke(root)
        notifySuccess({ message: keys.length === 1 ? 'The key is revoked.' : 'The keys are revoked.' })
      },
    })
}
