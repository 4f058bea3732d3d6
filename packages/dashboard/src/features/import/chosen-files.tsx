import { ActionIcon, Text } from '@mantine/core'
import { IconFileText, IconX } from '@tabler/icons-react'
import { Row, RowList } from '../../shared/ui/row-list.tsx'
import { type ChosenFile, formatBytes } from './import-files.ts'

interface ChosenFilesProps {
  readonly files: readonly ChosenFile[]
  /** True while they are sent. */
  readonly isDisabled: boolean
  readonly onRemove: (name: string) => void
}

/** The files of the import; nothing without any. */
export function ChosenFiles({ files, isDisabled, onRemove }: ChosenFilesProps) {
  if (files.length === 0) return null
  return (
    <RowList label="Chosen files">
      {files.map(({ content, name }) => (
        <Row
          key={name}
          icon={<IconFileText size={18} stroke={1.6} />}
          title={name}
          subtitle={<Text inherit>{formatBytes(new TextEncoder().encode(content).length)}</Text>}
          actions={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name}`}
              disabled={isDisabled}
              onClick={() => onRemove(name)}
            >
              <IconX size={16} />
            </ActionIcon>
          }
        />
      ))}
    </RowList>
  )
}
