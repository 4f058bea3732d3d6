import { Button, Divider, Group, Stack, Text } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { send } from '../../../shared/api/call.ts'
import { notifyFailure } from '../../../shared/ui/notify.tsx'

interface RecoveryPartProps {
  readonly left: number
  readonly onRenewed: (recovery_codes: readonly string[]) => void
}

/** Few codes are left: the person should renew them. */
const FEW_CODES = 3

/** The recovery codes of one's own account. */
export function RecoveryPart({ left, onRenewed }: RecoveryPartProps) {
  const renew = async () => {
    try {
      onRenewed((await send('renewRecoveryCodes', {})).body.recovery_codes)
    } catch (failure) {
      notifyFailure('The recovery codes were not renewed', failure)
    }
  }
  return (
    <>
      <Divider />
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconLifebuoy size={20} aria-hidden="true" />
        <Stack gap={4} miw={0}>
          <Text size="sm" fw={600}>
            Recovery codes
          </Text>
          <Text size="sm" c="dimmed">
            For a lost phone or passkey. {left} of 10 recovery codes are left.
          </Text>
        </Stack>
      </Group>
      {left <= FEW_CODES && (
        <Text size="sm" c="var(--mantine-color-error)">
          Few recovery codes are left. Renew them before you need one.
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => void renew()}>
          Renew recovery codes
        </Button>
      </Group>
    </>
  )
}
