import type { Violation } from '@burgee/contract'
import { Alert, Text } from '@mantine/core'
import { IconShieldX } from '@tabler/icons-react'
import { describeViolation } from './describe-violation.ts'

/** The invariants that a change violates: one that blocks refuses the save. */
export function Violations({ violations }: { readonly violations: readonly Violation[] }) {
  return violations.map((violation) => (
    <Alert
      key={violation.key}
      variant="light"
      color={violation.enforcement === 'block' ? 'red' : 'yellow'}
      role="alert"
      icon={<IconShieldX size={18} />}
      title={
        violation.verdict === 'violated' ? `Breaks ${violation.key}` : `${violation.key} cannot be decided`
      }
    >
      <Text size="sm">{describeViolation(violation)}</Text>
    </Alert>
  ))
}
