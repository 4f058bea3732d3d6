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
import { KEY_KINDS } from './key-kinds.ts'

interface KeyRowProps {
  readonly sdk_key: SdkKey
  readonly environment: Environment
  readonly is_last: boolean
}

export function KeyRow({ sdk_key, environment, is_last }: KeyRowProps) {
  const { created_at, kind, name, prefix } = sdk_key
  const role_permission = useMay()('revokeSdkKey')
  const permission: Permission =
    role_permission.is_allowed && is_last
      ? { is_allowed: false, reason: 'This is the last key of the project. Create another one first.' }
      : role_permission
  const askToRevoke = useRevocation(sdk_key, environment)
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
        <Badge variant="light" color={kind === 'server' ? 'gray' : 'cyan'} radius="sm" tt="none" tabIndex={0}>
          {KEY_KINDS[kind].title}
        </Badge>
      </Tooltip>
      <Text size="xs" c="dimmed">
        Created <Time at={created_at} size="xs" />
      </Text>
    </Row>
  )
}

function useRevocation({ id, name, prefix }: SdkKey, environment: Environment) {
  const { project_id } = useScope()
  const client = useQueryClient()
  return () =>
    confirm({
      title: 'Revoke this SDK key?',
      children: (
        <>
          Everything that uses <b>{name}</b> ({prefix}) stops receiving flags within a second, and cannot
          connect again. This cannot be undone.
        </>
      ),
      confirm_label: 'Revoke SDK key',
      ...(isProduction(environment) && { typed: environment.slug }),
      onConfirm: async () => {
        await call('revokeSdkKey', { params: { project_id, id } })
        await refresh(client, 'listSdkKeys')
        notifySuccess({ message: 'The key is revoked.' })
      },
    })
}
