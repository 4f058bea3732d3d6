import type { Passkey } from '@burgee/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFingerprint, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type PasskeyPlace, usePasskeyPlace } from '../../../parts/passkeys/index.ts'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { Row, RowList } from '../../../shared/ui/row-list.tsx'
import { Time } from '../../../shared/ui/time.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

interface PasskeysPartProps {
  readonly passkeys: readonly Passkey[]
  readonly onAdded: (recovery_codes: readonly string[]) => void
}

/** The passkeys of one's own account. */
export function PasskeysPart({ onAdded, passkeys }: PasskeysPartProps) {
  const place = usePasskeyPlace()
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const remove = ({ id, name }: Passkey) =>
    confirm({
      title: `Remove the passkey ${name}?`,
      children:
        'It does not sign you in any more. Your device still lists it until you delete it there as well. With the last second factor, your recovery codes end.',
      confirmLabel: 'Remove',
      onConfirm: async () => {
        await call('removePasskey', { params: { id } })
        notifySuccess({ message: 'The passkey is removed.' })
      },
    })
  return (
    <Stack>
      {passkeys.length > 0 && (
        <RowList label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => remove(passkey)}
            />
          ))}
        </RowList>
      )}
      {place.kind === 'here' ? (
        <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)} w="fit-content">
          Add a passkey
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          {describePlace(place)}
        </Text>
      )}
      {isAdding && (
        <AddPasskeyDialog
          onClose={() => setAdding(false)}
          onAdded={(recovery_codes) => {
            setAdding(false)
            onAdded(recovery_codes)
          }}
        />
      )}
      {renamed && <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </Stack>
  )
}

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly onRename: () => void
  readonly onRemove: () => void
}

function PasskeyRow({ onRemove, onRename, passkey }: PasskeyRowProps) {
  const { created_at, last_used_at, name } = passkey
  return (
    <Row
      icon={<IconFingerprint size={18} aria-hidden="true" />}
      title={name}
      subtitle={
        <>
          Added <Time at={created_at} size="xs" />
          {last_used_at === null ? (
            ', not used yet'
          ) : (
            <>
              , used <Time at={last_used_at} size="xs" />
            </>
          )}
        </>
      }
      actions={
        <Group gap={4} wrap="nowrap">
          <Button size="xs" variant="subtle" onClick={onRename} aria-label={`Rename ${name}`}>
            Rename
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </Group>
      }
    />
  )
}

/** Describes why no passkey can be added on this page. */
function describePlace(place: PasskeyPlace): string {
  switch (place.kind) {
    case 'elsewhere':
      return `Passkeys work at ${place.origin}. Open this page there to add one.`
    case 'nowhere':
      return 'Passkeys need an https address with a host name. The operator of this server sets it as PUBLIC_URL.'
    case 'unsupported':
      return 'This browser has no passkeys.'
    case 'here':
    case 'unknown':
      return ''
  }
}
