import { withoutImportCommands } from '@burgee/contract'
import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { useUrlState } from '../../shared/scope/use-url-state.ts'
import { Snippet } from '../../shared/ui/empty-state.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { readAttributeNames } from './attribute-names.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { FileDrop } from './file-drop.tsx'
import classes from './import.module.css'
import { addFiles, type ChosenFile } from './import-files.ts'
import { ServiceChoice } from './service-choice.tsx'
import { findService, type ImportService } from './services.ts'
import { StepProgress } from './step-progress.tsx'
import type { ImportState } from './use-import.ts'

/** The first step: the service, and its files. */
export function FilesStep({ state }: { readonly state: ImportState }) {
  const [{ system }, setAddress] = useUrlState({ system: '' })
  const service = findService(system)
  return (
    <Stack gap="xl">
      <Section title="Where do the flags come from?">
        <ServiceChoice
          isDisabled={state.progress !== null}
          value={system}
          onChange={(chosen) => setAddress({ system: chosen })}
        />
      </Section>
      {service && (
        <div className={classes.columns}>
          <ExportHelp service={service} />
          <Files state={state} service={service} />
        </div>
      )}
    </Stack>
  )
}

function ExportHelp({ service }: { readonly service: ImportService }) {
  return (
    <Section title={`Get the files from ${service.name}`}>
      <ol className={classes.help}>
        {service.steps.map((step) => (
          <li key={step}>
            <Text size="sm">{step}</Text>
          </li>
        ))}
      </ol>
      {service.command !== undefined && (
        <Snippet code={service.command} name={`Command that reads the flags of ${service.name}`} />
      )}
    </Section>
  )
}

interface FilesProps {
  readonly state: ImportState
  readonly service: ImportService
}

function Files({ service, state }: FilesProps) {
  const { change, draft, failure, progress } = state
  const { files, isPartial, names } = draft
  const { attributes, problem } = readAttributeNames(names)
  const isTranslated = state.isTranslated(service, attributes)
  const isBusy = progress !== null
  const setFiles = (chosen: readonly ChosenFile[]) => change({ files: chosen })
  return (
    <Section title="Choose the files">
      <FileDrop isDisabled={isBusy} onAdded={(added) => setFiles(addFiles(files, added))} />
      <ChosenFiles
        files={files}
        isDisabled={isBusy}
        onRemove={(name) => setFiles(files.filter((file) => file.name !== name))}
      />
      <Textarea
        label="Attributes with another name here"
        description="Only where your programs will send other names: one old=new a line."
        placeholder="email=user_email"
        value={names}
        onChange={(event) => change({ names: event.currentTarget.value })}
        disabled={isBusy}
        error={problem}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
      />
      <Checkbox
        label="Import a part"
        description="Where pages of a longer list are missing, read these as they are."
        checked={isPartial}
        onChange={(event) => change({ isPartial: event.currentTarget.checked })}
        disabled={isBusy}
      />
      {failure !== null && (
        <Failure error={failure} title="The files were not translated" shorten={withoutImportCommands} />
      )}
      {progress && <StepProgress progress={progress} onCancel={state.cancel} />}
      <Group gap="sm">
        <Button
          disabled={files.length === 0 || problem !== null}
          loading={isBusy}
          onClick={() => void state.translate(service, attributes)}
        >
          {isTranslated ? 'Continue' : 'Read the files'}
        </Button>
        <Text size="xs" c="dimmed">
          {isTranslated
            ? 'These files are translated already. Nothing is stored.'
            : 'The server translates them and stores nothing.'}
        </Text>
      </Group>
    </Section>
  )
}
