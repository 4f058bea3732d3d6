import { List, Text } from '@mantine/core'
import { type ApprovalScope, listEffects } from './approval-labels.ts'

/** The changes that a scope lets pass, word for word as in the documentation. */
export function ScopeEffects({ scope }: { readonly scope: ApprovalScope }) {
  const { forAdmins, passing } = listEffects(scope)
  return (
    <section aria-label="What passes without a review">
      <Text size="sm" fw={550}>
        {passing.length === 1 ? 'This passes' : 'These pass'} without a review
      </Text>
      <Lines lines={passing} />
      {forAdmins.length > 0 && (
        <>
          <Text size="sm" fw={550} mt="xs">
            Only workspace admins may do this
          </Text>
          <Lines lines={forAdmins} />
        </>
      )}
    </section>
  )
}

const Lines = ({ lines }: { readonly lines: readonly string[] }) => (
  <List size="sm" mt={2} c="dimmed">
    {lines.map((line) => (
      <List.Item key={line}>{line}</List.Item>
    ))}
  </List>
)
