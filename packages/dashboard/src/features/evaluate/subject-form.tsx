import {
  Button,
  Checkbox,
  CopyButton,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconCheck, IconCode, IconLink, IconTerminal2 } from '@tabler/icons-react'
import { JsonEditor } from '../../shared/editors/json-editor.tsx'
import { useScope } from '../../shared/scope/use-scope.ts'
import { AttributeRows } from './attribute-rows.tsx'
import classes from './evaluate.module.css'
import { PresetMenu } from './preset-menu.tsx'
import { writeRequestSnippet } from './request-snippet.ts'
import { writeSdkSnippet } from './sdk-snippet.ts'
import type { EditedSubject } from './use-subject.ts'

interface SubjectFormProps {
  readonly edited: EditedSubject
  /** Attributes that rules of this environment look at. */
  readonly knownAttributes: readonly string[]
}

/** The user key and attributes to evaluate flags for. */
export function SubjectForm({ edited, knownAttributes }: SubjectFormProps) {
  const { environment_id } = useScope()
  return (
    <Paper withBorder p="md" component="section" aria-label="User" className={classes.subject}>
      <Stack gap="md">
        <TextInput
          label="User key"
          description="Leave empty for an anonymous user"
          placeholder="user-42"
          autoComplete="off"
          spellCheck={false}
          value={edited.userText}
          onChange={(event) => edited.setUser(event.currentTarget.value)}
        />
        {edited.userText === '' && (
          <Checkbox
            size="xs"
            label="Send an empty key"
            description="Programs may send it by mistake. It counts as one user, who is in rollouts and variants."
            checked={edited.hasEmptyKey}
            onChange={(event) => edited.setEmptyKey(event.currentTarget.checked)}
          />
        )}
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={500} id="attributes-label">
              Attributes
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="How attributes are written"
              value={edited.rows ? 'rows' : 'json'}
              onChange={(form) => edited.showAs(form === 'json' ? 'json' : 'rows')}
              data={[
                { value: 'rows', label: 'Fields' },
                { value: 'json', label: 'JSON' },
              ]}
            />
          </Group>
          {edited.rows ? (
            <AttributeRows
              rows={edited.rows}
              problems={edited.rowProblems}
              knownAttributes={knownAttributes}
              onChange={edited.setRows}
            />
          ) : (
            <JsonEditor
              label="Attributes as JSON"
              value={edited.json}
              onChange={edited.setJson}
              error={edited.jsonProblem}
              height={160}
            />
          )}
        </div>
        <Group gap={6}>
          <PresetMenu subject={edited.subject} onChoose={edited.load} />
          <CopyButton value={location.href}>
            {({ copied, copy }) => (
              <CopyTextButton isCopied={copied} onClick={copy} icon={<IconLink size={14} />}>
                Copy link
              </CopyTextButton>
            )}
          </CopyButton>
          <CopyButton value={writeSdkSnippet(edited.subject)}>
            {({ copied, copy }) => (
              <CopyTextButton isCopied={copied} onClick={copy} icon={<IconCode size={14} />}>
                Copy code
              </CopyTextButton>
            )}
          </CopyButton>
          <CopyButton value={writeRequestSnippet(edited.subject, environment_id)}>
            {({ copied, copy }) => (
              <CopyTextButton isCopied={copied} onClick={copy} icon={<IconTerminal2 size={14} />}>
                Copy as request
              </CopyTextButton>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Paper>
  )
}

interface CopyTextButtonProps {
  readonly isCopied: boolean
  readonly onClick: () => void
  readonly icon: React.ReactNode
  readonly children: string
}

function CopyTextButton({ isCopied, onClick, icon, children }: CopyTextButtonProps) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={onClick}
      leftSection={isCopied ? <IconCheck size={14} /> : icon}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : children}</span>
    </Button>
  )
}
