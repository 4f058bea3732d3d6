import type { Environment, StaleFlag } from '@burgee/contract'
import { Badge, Group, Tooltip } from '@mantine/core'
import { useScope } from '../../shared/scope/use-scope.ts'

type Code = StaleFlag['evidence'][number]['code']

const LABELS: Readonly<Record<Code, string>> = {
  constant_proved: 'One value for everyone',
  constant_seen: 'One value seen',
  not_evaluated: 'Not evaluated',
  expired: 'Expired',
  unchanged: 'Unchanged',
  permanent: 'Permanent',
}
const COLORS: Readonly<Record<Code, string>> = {
  constant_proved: 'teal',
  constant_seen: 'blue',
  not_evaluated: 'teal',
  expired: 'yellow',
  unchanged: 'gray',
  permanent: 'gray',
}

/** The kinds of evidence for the removal of a flag, each once, with its sentences on hover and focus. */
export function EvidenceChips({ evidence }: Pick<StaleFlag, 'evidence'>) {
  const { environments } = useScope()
  const codes = [...new Set(evidence.map(({ code }) => code))]
  return (
    <Group gap={6}>
      {codes.map((code) => (
        <Tooltip
          key={code}
          multiline
          maw={360}
          label={evidence
            .filter((one) => one.code === code)
            .map(({ text }) => text)
            .join('; ')}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Badge variant="light" color={COLORS[code]} tt="none" fw={500} tabIndex={0}>
            {LABELS[code]}
            {describePlaces(
              evidence.filter((one) => one.code === code),
              environments,
            )}
          </Badge>
        </Tooltip>
      ))}
    </Group>
  )
}

/** Names the environments of some evidence where it is not about all of them: " in Development". */
function describePlaces(evidence: StaleFlag['evidence'], environments: readonly Environment[]): string {
  const ids = new Set(evidence.map(({ environment_id }) => environment_id))
  const named = environments.filter(({ id }) => ids.has(id))
  if (named.length === 0 || named.length === environments.length) return ''
  return named.length === 1 ? ` in ${named[0]?.name}` : ` in ${named.length} environments`
}
