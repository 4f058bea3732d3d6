import type { AccessToken } from '@burgee/contract'
import { Badge, Button, Code, Text, Tooltip } from '@mantine/core'
import { IconCornerDownRight } from '@tabler/icons-react'
import { confirm } from '../../shared/forms/confirm.tsx'
import { formatInstant, formatRelative } from '../../shared/ui/format-time.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Row } from '../../shared/ui/row-list.tsx'
import type { ArrangedToken } from './arrange-tokens.ts'
import { describeExpiry, type Expiry } from './describe-expiry.ts'
import { TOKEN_SCOPES } from './token-scopes.ts'

const EXPIRY_COLORS: Record<Expiry['kind'], string> = {
  never: 'dimmed',
  later: 'dimmed',
  soon: 'var(--mantine-color-yellow-light-color)',
  expired: 'var(--mantine-color-error)',
}

/** The indentation of a level, and the levels that are shown. */
const INDENT_REM = 0.9
const LEVELS_SHOWN = 5

interface TokenRowProps extends ArrangedToken {
  /** Revokes the token and refreshes its list. */
  readonly onRevoke: () => Promise<unknown>
}

/** A personal access token in a list: what created it, what it may do, its last use, and its end. */
export function TokenRow({ depth, token, onRevoke }: TokenRowProps) {
  const { last_address, last_used_at, name, parent_name, prefix, scope } = token
  const confirmRevoke = () => confirmRevocation(token, onRevoke)
  return (
    <Row
      icon={depth > 0 && <ChildIcon depth={depth} />}
      title={name}
      subtitle={
        <>
          <Code>{prefix}</Code>
          {parent_name !== null && ` Created with the token ${parent_name}`}
        </>
      }
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
        {last_address !== null && ` from ${last_address}`}
      </Text>
      <ExpiryText expires_at={token.expires_at} />
    </Row>
  )
}

const ChildIcon = ({ depth }: { readonly depth: number }) => (
  <IconCornerDownRight
    size={15}
    style={{ marginInlineStart: `${(Math.min(depth, LEVELS_SHOWN) - 1) * INDENT_REM}rem` }}
    aria-hidden="true"
  />
)

function ExpiryText({ expires_at }: Pick<AccessToken, 'expires_at'>) {
  const { kind, words } = describeExpiry(expires_at, Date.now())
  const text = (
    <Text size="xs" c={EXPIRY_COLORS[kind]}>
      {words}
    </Text>
  )
  return expires_at === null ? text : <Tooltip label={formatInstant(expires_at)}>{text}</Tooltip>
}

const confirmRevocation = ({ name }: AccessToken, onRevoke: () => Promise<unknown>): void =>
  confirm({
    title: 'Revoke this token?',
    children: (
      <>
        What uses <b>{name}</b> is refused from now on, and so are the tokens that were created with it. This
        cannot be undone.
      </>
    ),
    confirmLabel: 'Revoke token',
    onConfirm: async () => {
      await onRevoke()
      notifySuccess({ message: 'The token is revoked.' })
    },
  })
