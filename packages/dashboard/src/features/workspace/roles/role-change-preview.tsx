import type { CustomRole, Permission } from '@burgee/contract'
import { Alert, List, Text } from '@mantine/core'
import { READING } from '../../../parts/roles/permission-groups.ts'
import { countOf } from '../../../shared/ui/count-of.ts'
import { describeRoleChange } from './describe-role-change.ts'

interface RoleChangePreviewProps {
  /** Null for a new role. */
  readonly role: CustomRole | null
  readonly permissions: readonly Permission[]
}

/** Shows what the members with the role gain and lose, and warns of a role that sees nothing. */
export function RoleChangePreview({ role, permissions }: RoleChangePreviewProps) {
  const { gained, lost } = describeRoleChange(role?.permissions ?? permissions, permissions)
  const uses = role ? role.member_count + role.override_count : 0
  const isBlind = READING.some((name) => !permissions.includes(name))
  return (
    <div role="status">
      {isBlind && (
        <Alert variant="light" color="yellow" mb="sm" title="Members with this role cannot open projects">
          {permissions.length === 0
            ? 'The role permits nothing.'
            : 'Without “See the project” or “Read flags”, the pages of the project are empty. Scripts with a token can still do the rest.'}
        </Alert>
      )}
      {gained.length + lost.length > 0 && (
        <Alert variant="light" color={lost.length > 0 ? 'yellow' : 'sea'} title={titleFor(uses)}>
          <Change label="They gain" words={gained} />
          <Change label="They lose" words={lost} />
        </Alert>
      )}
    </div>
  )
}

function titleFor(uses: number): string {
  if (uses === 0) return 'No membership has this role yet'
  return `This concerns ${countOf(uses, 'membership')} at once`
}

const Change = ({ label, words }: { readonly label: string; readonly words: readonly string[] }) =>
  words.length > 0 && (
    <>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <List size="sm" mb={4} aria-label={label}>
        {words.map((word) => (
          <List.Item key={word}>{word}</List.Item>
        ))}
      </List>
    </>
  )
