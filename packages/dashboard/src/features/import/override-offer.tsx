import type { ImportResult } from '@burgee/contract'
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconShieldX } from '@tabler/icons-react'
import { useState } from 'react'
import { OverrideField } from '../../parts/impact/index.tsx'
import { useOverridePermission } from '../../shared/scope/use-override-permission.ts'
import { countOf } from '../../shared/ui/count-of.ts'
import type { EnvironmentPlan } from './import-plan.ts'
import type { ImportState } from './use-import.ts'

interface OverrideOfferProps {
  readonly state: ImportState
  readonly result: ImportResult
  /** The environments in which invariants are violated; every chosen one without it. */
  readonly environmentIds?: readonly string[]
}

/** Invariants refuse the import, or part of it: those who may override them preview it with a reason. */
export function OverrideOffer({ environmentIds, result, state }: OverrideOfferProps) {
  const mayOverride = useOverridePermission()(environmentIds ?? [...state.draft.mapping.values()])
  const [text, setText] = useState(state.draft.overrideReason ?? '')
  const overrideReason = text.trim()
  return (
    <Stack gap="xs">
      <OverrideField permission={mayOverride} reason={text} onReason={setText} />
      {overrideReason !== '' && (
        <Group>
          <Button
            color="red"
            size="xs"
            disabled={state.progress !== null}
            onClick={() => void state.preview(result, { overrideReason })}
          >
            Preview with the override
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface InvariantNotesProps extends Omit<OverrideOfferProps, 'environmentIds'> {
  readonly plans: readonly EnvironmentPlan[]
}

/** The flags that invariants leave out, and the invariants that are overridden; nothing without any. */
export function InvariantNotes({ plans, result, state }: InvariantNotesProps) {
  const violating = plans.filter((plan) => plan.violating.size > 0)
  const left = violating.reduce((sum, plan) => sum + plan.violating.size, 0)
  const overridden = plans.filter(({ override }) => override !== null)
  return (
    <>
      {left > 0 && (
        <Note title={`Invariants leave out ${countOf(left, 'flag')}`}>
          <OverrideOffer
            state={state}
            result={result}
            environmentIds={violating.map(({ target }) => target.id)}
          />
        </Note>
      )}
      {overridden.length > 0 && (
        <Note
          title={`Invariants are overridden in ${overridden.map(({ target }) => target.name).join(', ')}`}
        >
          <Stack gap="xs">
            <List size="sm">
              {[...new Set(overridden.flatMap(({ override }) => override?.violations ?? []))].map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
            <Text size="sm">Reason: {overridden[0]?.override?.reason}</Text>
            <Group>
              <Button
                variant="default"
                size="xs"
                disabled={state.progress !== null}
                onClick={() => void state.preview(result, { overrideReason: undefined })}
              >
                Do not override
              </Button>
            </Group>
          </Stack>
        </Note>
      )}
    </>
  )
}

function Note({ children, title }: { readonly children: React.ReactNode; readonly title: string }) {
  return (
    <Alert
      color="red"
      variant="light"
      role="region"
      aria-label={title}
      icon={<IconShieldX size={18} />}
      title={title}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {children}
    </Alert>
  )
}
