import { ActionIcon, Button, Code, Group, Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react'
import { useId, useState } from 'react'
import classes from './secret-once.module.css'

interface SecretOnceProps {
  /** The name of the secret: "SDK key of Production". */
  readonly label: string
  readonly secret: string
  /** The place to keep it, instead of the usual words. */
  readonly hint?: string
}

const COPIED_FOR_MS = 2_000

/**
 * A secret that is shown this once, to be copied. It starts masked, since people share their screens. It is
 * in this element only: not in the address, not in storage.
 */
export function SecretOnce({ label, secret, hint = USUAL_HINT }: SecretOnceProps) {
  const [isRevealed, setRevealed] = useState(false)
  const { copied, copy, error } = useClipboard({ timeout: COPIED_FOR_MS })
  const id = useId()
  // Browsers give the clipboard to secure pages only. Over plain http the text is copied by hand.
  const isReadable = isRevealed || error !== null
  return (
    <Stack gap={6} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-hint`}>
      <Text size="sm" fw={600} id={`${id}-label`} className={classes.label}>
        {label}
      </Text>
      <div className={classes.box}>
        <Code className={classes.secret} data-masked={!isReadable || undefined}>
          {isReadable ? secret : masked(secret)}
        </Code>
        <Group gap={4} wrap="nowrap">
          <RevealAction isRevealed={isReadable} onClick={() => setRevealed(!isRevealed)} />
          <Button
            size="xs"
            w={92}
            variant={copied ? 'light' : 'filled'}
            color={copied ? 'teal' : 'sea'}
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            onClick={() => copy(secret)}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        </Group>
      </div>
      <VisuallyHidden role="status">{copied ? 'Copied to the clipboard' : ''}</VisuallyHidden>
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          This browser lets only pages with https copy. Click the secret and copy it by hand.
        </Text>
      )}
      <Group gap={6} wrap="nowrap" align="flex-start" className={classes.hint}>
        <IconAlertTriangle size={15} aria-hidden="true" />
        <Text size="xs" id={`${id}-hint`}>
          {hint}
        </Text>
      </Group>
    </Stack>
  )
}

interface RevealActionProps {
  readonly isRevealed: boolean
  readonly onClick: () => void
}

const RevealAction = ({ isRevealed, onClick }: RevealActionProps) => (
  <Tooltip label={isRevealed ? 'Hide' : 'Show'}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      aria-label={isRevealed ? 'Hide the secret' : 'Show the secret'}
      onClick={onClick}
    >
      {isRevealed ? <IconEyeOff size={16} /> : <IconEye size={16} />}
    </ActionIcon>
  </Tooltip>
)

const USUAL_HINT = 'Copy it now and keep it somewhere safe. Only its beginning is shown later.'
const SHOWN_PREFIX = /^(?:sk_live_|pat_|scim_|whsec_)?/
const DOTS = 24

/** The secret with its kind visible and the rest as dots, always as many. */
const masked = (secret: string): string => `${SHOWN_PREFIX.exec(secret)?.[0] ?? ''}${'•'.repeat(DOTS)}`
