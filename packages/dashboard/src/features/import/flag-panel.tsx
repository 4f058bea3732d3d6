import { completeShare, type FlagInput, type ListedFlag } from '@burgee/contract'
import { Badge, Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FlagDiff } from '../../parts/flag-diff/flag-diff.tsx'
import { call } from '../../shared/api/call.ts'
import { EnvironmentDot } from '../../shared/ui/environment-dot.tsx'
import { Failure } from '../../shared/ui/failure.tsx'
import { WarningsAlert } from '../../shared/warnings/warnings-alert.tsx'
import { ClassSign } from './class-bar.tsx'
import { CLASS_WORDS } from './class-words.ts'
import classes from './flag-list.module.css'
import { type FlagCell, type FlagRow, shownClass } from './flag-rows.ts'
import { type FlagInPlace, isLeftOut, type LeftOut, toggleFlags } from './left-out.ts'
import { OUTCOME_WORDS } from './outcome-words.ts'

interface FlagPanelProps {
  /** Null: none is open. */
  readonly open: { readonly row: FlagRow; readonly cell: FlagCell } | null
  readonly left: LeftOut
  readonly onChoice: (left: LeftOut) => void
  readonly onClose: () => void
}

/** One flag in one environment: the reasons for its class, and what the import changes. */
export function FlagPanel({ left, onChoice, onClose, open }: FlagPanelProps) {
  return (
    <Drawer
      opened={open !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={open?.row.key}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      {open && (
        <>
          <Details cell={open.cell} />
          <ChoiceButton
            flag={{ key: open.row.key, target: open.cell.target }}
            {...{ left, onChoice, open }}
          />
        </>
      )}
    </Drawer>
  )
}

interface ChoiceButtonProps extends Pick<FlagPanelProps, 'left' | 'onChoice'> {
  readonly open: NonNullable<FlagPanelProps['open']>
  readonly flag: FlagInPlace
}

/** Leaves the flag out of the import, or takes it back in; nothing where another reason leaves it out. */
function ChoiceButton({ flag, left, onChoice, open }: ChoiceButtonProps) {
  const isOut = isLeftOut(left, flag)
  if (!isOut && open.cell.outcome === 'left_out') return null
  return (
    <Button mt="lg" variant="default" size="xs" onClick={() => onChoice(toggleFlags(left, [flag], !isOut))}>
      {isOut ? 'Include it again' : 'Leave this flag out'}
    </Button>
  )
}

function Details({ cell }: { readonly cell: FlagCell }) {
  const { change, notes, outcome, refusal, target } = cell
  const label = shownClass(cell)
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap={8}>
          <EnvironmentDot color={target.color} />
          <Text size="sm" fw={600}>
            {target.name}
          </Text>
          <Badge variant="outline" color="gray" tt="none">
            {OUTCOME_WORDS[outcome]}
          </Badge>
        </Group>
        <Group gap={8} wrap="nowrap">
          <ClassSign of={label} />
          <Text size="sm">
            <b>{CLASS_WORDS[label].label}.</b> {CLASS_WORDS[label].meaning}
          </Text>
        </Group>
      </Stack>
      {(refusal !== undefined || notes.length > 0) && (
        <Stack gap="xs">
          <Title order={2} size="h6">
            Reasons
          </Title>
          <ul className={classes.notes}>
            {refusal !== undefined && <li>{refusal}</li>}
            {notes.map(({ code, message, path }) => (
              <li key={`${code} ${path}`}>
                {message}
                {path !== '' && <code className={classes.path}>{path}</code>}
              </li>
            ))}
          </ul>
        </Stack>
      )}
      {change && <WarningsAlert warnings={change.warnings} role="region" />}
      {outcome !== 'left_out' && cell.flag && <Changes cell={cell} flag={cell.flag} />}
    </Stack>
  )
}

function Changes({
  cell: { outcome, present, target },
  flag,
}: {
  readonly cell: FlagCell
  readonly flag: FlagInput
}) {
  const preview = useQuery({
    queryKey: ['flagOfImport', target.id, flag, present?.revision ?? 0],
    queryFn: ({ signal }) =>
      call(
        'previewFlag',
        {
          params: { env_id: target.id },
          body: { ...(present && contentOf(present)), ...completeShare(flag) },
        },
        { signal },
      ),
  })
  return (
    <Stack gap="xs">
      <Title order={2} size="h6">
        {outcome === 'waiting' ? `The change to approve in ${target.name}` : `What changes in ${target.name}`}
      </Title>
      {preview.error ? (
        <Failure error={preview.error} title="The change could not be shown" />
      ) : preview.data ? (
        <FlagDiff before={preview.data.before} after={preview.data.after} />
      ) : (
        <Skeleton height={90} />
      )}
    </Stack>
  )
}

/** A flag as it is written, without what the server adds. */
function contentOf({ created_at: _c, revision: _r, updated_at: _u, updated_by: _b, ...content }: ListedFlag) {
  return content
}
