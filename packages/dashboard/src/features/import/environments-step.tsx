import { IMPORT_CLASSES, type ImportClass, type ImportResult } from '@burgee/contract'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { isBlocked } from '../../parts/impact/is-blocked.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Failure } from '../../shared/ui/failure.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { useFirstRows } from '../../shared/ui/use-first-rows.tsx'
import type { ClassCounts } from './class-bar.tsx'
import { EnvironmentChoice } from './environment-choice.tsx'
import { findMappingProblem } from './map-environments.ts'
import { OverrideOffer } from './override-offer.tsx'
import { StepProgress } from './step-progress.tsx'
import type { ImportState } from './use-import.ts'

interface EnvironmentsStepProps {
  readonly state: ImportState
  readonly result: ImportResult
}

/** The second step: the environment of the project for each of the files. */
export function EnvironmentsStep({ result, state }: EnvironmentsStepProps) {
  const { environments } = useScope()
  const { change, draft, failure, progress } = state
  const { mapping } = draft
  const problem = findMappingProblem(mapping, environments)
  const choose = (source: string, target: string) => {
    const next = new Map(mapping)
    if (target === '') next.delete(source)
    else next.set(source, target)
    change({ mapping: next })
  }
  return (
    <Stack gap="lg">
      <Section
        title="Where do they go?"
        description="Each environment of the files goes into one of this project, or nowhere. The next step compares both."
      >
        <Stack gap="sm">
          {result.environments.map(({ environment }) => (
            <EnvironmentChoice
              key={environment}
              source={environment}
              isDisabled={progress !== null}
              counts={countReport(result, environment)}
              value={mapping.get(environment) ?? ''}
              onChange={(target) => choose(environment, target)}
            />
          ))}
        </Stack>
      </Section>
      <FileNotes notes={result.notes} />
      {failure !== null && <Failure error={failure} title="The import could not be compared" />}
      {isBlocked(undefined, failure) && <OverrideOffer state={state} result={result} />}
      {progress && <StepProgress progress={progress} onCancel={state.cancel} />}
      <Group gap="xs">
        <Button variant="default" onClick={() => state.goTo({ kind: 'files' })} disabled={progress !== null}>
          Back
        </Button>
        <Button
          onClick={() => void state.preview(result)}
          loading={progress !== null}
          disabled={problem !== null}
        >
          Preview the import
        </Button>
        {problem !== null && (
          <Text size="sm" c="dimmed" role="status">
            {problem}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

function countReport({ flags }: ImportResult, environment: string): ClassCounts {
  const here = flags.filter((flag) => flag.environment === environment)
  return Object.fromEntries(
    IMPORT_CLASSES.map((one) => [one, here.filter((flag) => flag.class === one).length]),
  ) as Record<ImportClass, number>
}

/** The remarks about segments and whole files; nothing without any. */
function FileNotes({ notes }: Pick<ImportResult, 'notes'>) {
  const texts = [
    ...new Set(notes.map(({ message, path }) => (path === '' ? message : `${path}: ${message}`))),
  ]
  const { more, shown } = useFirstRows(texts)
  if (texts.length === 0) return null
  return (
    <Alert
      role="region"
      aria-label="About segments and whole files"
      color="blue"
      variant="light"
      icon={<IconInfoCircle size={18} />}
      title="About segments and whole files"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap={4}>
        {shown.map((text) => (
          <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        ))}
        {more}
      </Stack>
    </Alert>
  )
}
