import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Permission } from '../../shared/scope/use-permissions.ts'
import { Gated } from '../../shared/ui/gated.tsx'
import { notifyFailure, notifySuccess } from '../../shared/ui/notify.tsx'
import { saveFile } from '../../shared/ui/save-file.ts'
import { exportAudit } from './export-audit.ts'

interface ExportButtonProps {
  /** The address of the log with its filters. */
  readonly url: string
  readonly fileName: string
  readonly permission: Permission
}

/** Downloads every entry that matches the filters, and shows the progress. */
export function ExportButton({ url, fileName, permission }: ExportButtonProps) {
  const [entries, setEntries] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    setEntries(0)
    try {
      const file = await exportAudit(url, { signal: controller.signal, onProgress: setEntries })
      saveFile(file, fileName)
      notifySuccess({ message: 'The audit log is exported, one JSON entry per line.' })
    } catch (error) {
      if (!controller.signal.aborted) notifyFailure('The audit log was not exported', error)
    }
    setEntries(null)
  }
  if (entries !== null) {
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed" role="status">
          {entries.toLocaleString('en')} entries so far
        </Text>
        <Button variant="default" onClick={() => running.current?.abort()}>
          Cancel export
        </Button>
      </Group>
    )
  }
  return (
    <Gated permission={permission}>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void start()}>
        Export
      </Button>
    </Gated>
  )
}
