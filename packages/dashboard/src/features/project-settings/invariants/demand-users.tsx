import { Input } from '@mantine/core'
import { ConditionList } from '../../../parts/rules/condition-list.tsx'
import type { Demand } from './demand-text.ts'
import type { KnownFlags } from './use-known-flags.ts'

interface DemandUsersProps {
  readonly demand: Demand
  readonly onChange: (demand: Demand) => void
  readonly known: KnownFlags
}

const NONE: NonNullable<Demand['when']> = []
const NO_PROBLEM = () => undefined
const wordOf = (index: number): string => (index === 0 ? 'where' : 'and')

/** The users of a demand: everyone, or those who meet conditions. */
export function DemandUsers({ demand: { when = NONE, ...demand }, known, onChange }: DemandUsersProps) {
  return (
    <div>
      <Input.Label component="div">Users</Input.Label>
      <Input.Description mb={4}>
        {when.length === 0 ? 'Every possible user.' : 'Every possible user who meets all conditions.'}
      </Input.Description>
      <ConditionList
        conditions={when}
        onChange={(conditions) => {
          const next = conditions.flatMap((one) => ('segment_key' in one ? [] : [one]))
          onChange(next.length === 0 ? demand : { when: next, ...demand })
        }}
        segments={[]}
        attributes={known.attributes}
        isReadOnly={false}
        problemOf={NO_PROBLEM}
        wordOf={wordOf}
        addLabel="Add condition"
      />
    </div>
  )
}
