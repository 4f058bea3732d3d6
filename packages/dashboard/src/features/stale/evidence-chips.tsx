import type { StaleFlag } from '@burgee/contract'
import { Badge, Group, Tooltip } from '@mantine/core'

type Code = StaleFlag['evidence'][number]['code']

const LABELS: Readonly<Record<Code, string>> = {
  constant_proved: 'one value for everyone',
  constant_seen: 'one value seen',
  not_evaluated: 'not evaluated',
  expired: 'expired',
  unchanged: 'unchanged',
  permanent: 'permanent',
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
          </Badge>
        </Tooltip>
      ))}
    </Group>
  )
}
