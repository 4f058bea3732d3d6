import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'

interface CodesDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Recovery codes, which are shown this once. */
export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const { copied, copy } = useClipboard()
  const text = codes.join('\n')
  return (
    <Modal
      opened
      onClose={onClose}
      title="Store your recovery codes"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">
          Each of them signs you in once when your phone is lost. Keep them where your password is not. They
          are not shown again.
        </Text>
        <Stack gap={0} role="group" aria-label="Recovery codes">
          <Code block>{text}</Code>
        </Stack>
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={() => copy(text)}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
          <Button
            component="a"
            variant="default"
            leftSection={<IconDownload size={16} />}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="burgee-recovery-codes.txt"
          >
            Download
          </Button>
        </Group>
        <Button onClick={onClose} fullWidth>
          I have stored them
        </Button>
      </Stack>
    </Modal>
  )
}
