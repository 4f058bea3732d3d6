import type { Session } from '@burgee/contract'
import { Badge, Button, Text } from '@mantine/core'
import { IconDeviceDesktop } from '@tabler/icons-react'
import { confirm } from '../../shared/forms/confirm.tsx'
import { formatInstant, formatRelative } from '../../shared/ui/format-time.ts'
import { notifySuccess } from '../../shared/ui/notify.tsx'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { describeDevice } from './describe-device.ts'

interface SessionRowsProps {
  readonly sessions: readonly Session[]
  /** Ends a session and refreshes the list. */
  readonly onEnd: (session: Session) => Promise<unknown>
}

/** Sessions of one person, the latest use first. The session of the page itself ends by signing out. */
export function SessionRows({ sessions, onEnd }: SessionRowsProps) {
  const ordered = sessions.toSorted(
    (a, b) => Number(b.is_current) - Number(a.is_current) || b.last_seen_at.localeCompare(a.last_seen_at),
  )
  return (
    <RowList label="Sessions" columns="9rem 9rem">
      {ordered.map((session) => (
        <SessionRow key={session.id} session={session} onEnd={() => onEnd(session)} />
      ))}
    </RowList>
  )
}

const METHODS: Readonly<Record<Session['method'], string>> = {
  setup: 'at the setup',
  password: 'with a password',
  link: 'with a link',
  passkey: 'with a passkey',
  sso: 'with single sign-on',
  totp: 'with a code of an app',
  recovery_code: 'with a recovery code',
}

interface SessionRowProps {
  readonly session: Session
  readonly onEnd: () => Promise<unknown>
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { address, created_at, is_current, last_seen_at, method, user_agent } = session
  const device = describeDevice(user_agent)
  const now = Date.now()
  return (
    <Row
      icon={<IconDeviceDesktop size={18} aria-hidden="true" />}
      title={<span title={user_agent ?? undefined}>{device}</span>}
      badges={
        is_current && (
          <Badge size="sm" variant="light" tt="none">
            This session
          </Badge>
        )
      }
      subtitle={`${address ?? 'Unknown address'}, signed in ${METHODS[method]}`}
      actions={
        !is_current && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            onClick={() => confirmEnd(device, onEnd)}
            aria-label={`End ${device}`}
          >
            End
          </Button>
        )
      }
    >
      <Text size="xs" c="dimmed" title={formatInstant(created_at)}>
        Since {formatRelative(created_at, now)}
      </Text>
      <Text size="xs" c="dimmed" title={formatInstant(last_seen_at)}>
        Used {formatRelative(last_seen_at, now)}
      </Text>
    </Row>
  )
}

const confirmEnd = (device: string, onEnd: () => Promise<unknown>): void =>
  confirm({
    title: 'End this session?',
    children: (
      <>
        <b>{device}</b> is signed out at once. What was not saved there is lost.
      </>
    ),
    confirmLabel: 'End session',
    onConfirm: async () => {
      await onEnd()
      notifySuccess({ message: 'The session has ended.' })
    },
  })
