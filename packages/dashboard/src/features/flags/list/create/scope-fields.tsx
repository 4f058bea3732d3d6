import { Input, SegmentedControl, Switch } from '@mantine/core'
import { useScope } from '../../../../shared/scope/use-scope.ts'
import type { NewFlag } from './use-new-flag.ts'

interface ScopeFieldsProps {
  readonly draft: NewFlag
  readonly onChange: (changes: Partial<NewFlag>) => void
}

/** The environments that the flag is created in, and whether it starts on in the open one. */
export function ScopeFields({ draft, onChange }: ScopeFieldsProps) {
  const { environments, environment } = useScope()
  const name = environment?.name ?? 'this environment'
  return (
    <>
      {environments.length > 1 && (
        <Input.Wrapper label="Create in" labelElement="div">
          <SegmentedControl
            aria-label="Create in"
            fullWidth
            data={[
              { value: 'all', label: 'All environments' },
              { value: 'this', label: `${name} only` },
            ]}
            value={draft.scope}
            onChange={(scope) => onChange({ scope: scope === 'this' ? 'this' : 'all' })}
          />
        </Input.Wrapper>
      )}
      <Switch
        label={`Turn it on in ${name} now`}
        description={
          draft.scope === 'all' && environments.length > 1
            ? 'It is off in the other environments.'
            : 'You can set rules and a rollout first, and turn it on then.'
        }
        checked={draft.is_enabled}
        onChange={(event) => onChange({ is_enabled: event.currentTarget.checked })}
      />
    </>
  )
}
