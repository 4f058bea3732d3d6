import type { AccessToken } from '@burgee/contract'
import { Badge, Button, Code, Text, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../shared/api/call.ts'
import { refresh } from '../../../shared/api/queries.ts'
import { confirm } from '../../../shared/ui/confirm.tsx'
import { formatInstant, formatRelative } from '../../../shared/ui/format-time.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Row } from '../../../shared/ui/row-list.tsx'
import { describeExpiry, type Expiry } from './describe-expiry.ts'
import { TOKEN_SCOPES } from './token-scopes.ts'

const EXPIRY_COLORS: Record<Expiry['kind'], string> = {
  never: 'dimmed',
  later: 'dimmed',
  soon: 'var(--mantine-color-yellow-light-color)',
  expired: 'var(--mantine-color-error)',
}

export function TokenRow({ token }: { readonly token: AccessToken }) {
  const { last_used_at, name, prefix, scope } = token
  const confirmRevoke = useRevocation(token)
  return (
    <Row
      title={name}
      subtitle={<Code>{prefix}</Code>}
      actions={
        <Button size="xs" variant="subtle" color="red" onClick={confirmRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
    >
      <Badge
        variant="light"
        color={scope === 'read_only' ? 'gray' : 'yellow'}
        radius="sm"
        tt="none"
        w="fit-content"
      >
        {TOKEN_SCOPES[scope].title}
      </Badge>
      <Text size="xs" c="dimmed">
        {last_used_at === null ? 'Not used yet' : `Used ${formatRelative(last_used_at, Date.now())}`}
      </Text>
      <ExpiryText expires_at={token.expires_at} />
    </Row>
  )
}

function ExpiryText({ expires_at }: Pick<AccessToken, 'expires_at'>) {
  const { kind, words } = describeExpiry(expires_at, Date.now())
  const text = (
    <Text size="xs" c={EXPIRY_COLORS[kind]}>
      {words}
    </Text>
  )
  return expires_at === null ? text : <Tooltip label={formatInstant(expires_at)}>{text}</Tooltip>
}

function useRevocation({ id, name }: AccessToken) {
  const client = useQueryClient()
  return () =>
    confirm({
      title: 'Revoke this token?',
      children: (
        <>
          What uses <b>{name}</b> is refused from now on. This cannot be undone.
        </>
      ),
      confirmLabel: 'Revoke token',
      onConfirm: async () => {
        await call('revokeAccessToken', { params: { id } })
        await refresh(client, 'listAccessTokens')
        notifySuccess({ message: 'The token is revoked.' })
      },
    })
}
