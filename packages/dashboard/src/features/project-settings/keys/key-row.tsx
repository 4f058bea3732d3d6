import type { Environment, SdkKey } from '@burgee/contract'
import { Badge, Button, Code, Text, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { type Permission, useMay } from '../../../shared/scope/use-may.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { DescendantsChoice } from './descendants-choice.tsx'
import { KEY_KINDS } from './key-kinds.ts'
import { findDescendants, sayParent } from './key-tree.ts'

interface KeyRowProps {
  readonly sdk_key: SdkKey
  readonly environment: Environment
  /** All keys of the project. */
  readonly keys: readonly SdkKey[]
}

export function KeyRow({ sdk_key, environment, keys }: KeyRowProps) {
  const { created_at, kind, name, prefix } = sdk_key
  const origin = sayParent(keys, sdk_key)
  const role_permission = useMay()('revokeSdkKey')
  const permission: Permission =
    role_permission.is_allowed && keys.length === 1
      ? { is_allowed: false, reason: 'This is the last key of the project. Create another one first.' }
      : role_permission
  const askToRevoke = useRevocation(sdk_key, environment, findDescendants(keys, sdk_key.id))
  return (
    <Row
      title={name}
      subtitle={<Code>{prefix}</Code>}
      actions={
        <Gated permission={permission}>
          <Button size="xs" variant="subtle" color="red" onClick={askToRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        </Gated>
      }
    >
      <Tooltip label={KEY_KINDS[kind].description}>
        <Badge variant="light" color={COLORS[kind]} radius="sm" tt="none" tabIndex={0}>
          {KEY_KINDS[kind].title}
        </Badge>
      </Tooltip>
      <Text size="xs" c="dimmed">
        Created {origin !== null && `${origin}, `}
        <Time at={created_at} size="xs" />
      </Text>
    </Row>
  )
}

/** A key that may do everything stands out. */
const COLORS = { server: 'sea', reader: 'gray', client: 'cyan' } as const

function useRevocation(
  { id, name, prefix }: SdkKey,
  environment: Environment,
  descendants: readonly SdkKey[],
) {
  const { project_id } = useScope()
  const client = useQueryClient()
  return () => {
    const choice = { children: descendants.length > 0 }
    confirm({
      title: 'Revoke this SDK key?',
      children: (
        <>
          Everything that uses <b>{name}</b> ({prefix}) stops receiving flags within a second, and cannot
          connect again. This cannot be undone.
          {descendants.length > 0 && (
            <DescendantsChoice
              descendants={descendants}
              onChange={(children) => {
                choice.children = children
              }}
            />
          )}
        </>
      ),
      confirm_label: 'Revoke SDK key',
      ...(isProduction(environment) && { typed: environment.slug }),
      onConfirm: async () => {
        const query = choice.children ? { children: true } : {}
        await call('revokeSdkKey', { params: { project_id, id }, query })
        await refresh(client, 'listSdkKeys')
        notifySuccess({ message: choice.children ? 'The keys are revoked.' : 'The key is revoked.' })
      },
    })
  }
}
