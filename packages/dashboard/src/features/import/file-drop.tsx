import { IMPORT_BODY_MAX_BYTES, IMPORT_FILES_MAX } from '@burgee/contract'
import { Alert, Button, FileButton, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import classes from './import.module.css'
import { type ChosenFile, formatBytes } from './import-files.ts'
import { readChosen } from './read-chosen.ts'

interface FileDropProps {
  /** True while files are sent. */
  readonly isDisabled: boolean
  readonly onAdded: (files: readonly ChosenFile[]) => void
}

/** The place to drop files, with a button for the keyboard. */
export function FileDrop({ isDisabled, onAdded }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const reset = useRef<() => void>(null)
  const add = async (chosen: readonly File[]) => {
    // The same file may be chosen again, after it has changed.
    reset.current?.()
    const read = await readChosen(chosen)
    setProblems(read.problems)
    if (read.files.length > 0) onAdded(read.files)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isDisabled) void add([...event.dataTransfer.files])
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a look of its own */}
      <div
        role="group"
        aria-label="Files"
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden="true" />
        <Text size="sm">Drop files here, or</Text>
        <FileButton
          multiple
          disabled={isDisabled}
          accept=".json,.yaml,.yml,.toml,.txt"
          resetRef={reset}
          onChange={(chosen) => void add(chosen)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={isDisabled}>
              Choose files
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed">
          JSON, YAML or TOML. At most {IMPORT_FILES_MAX} files with {formatBytes(IMPORT_BODY_MAX_BYTES)}{' '}
          together.
        </Text>
      </div>
      {problems.length > 0 && (
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {problems.map((problem) => (
            <Text key={problem} size="sm">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
    </>
  )
}
