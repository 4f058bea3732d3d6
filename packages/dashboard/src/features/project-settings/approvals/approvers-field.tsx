import { APPROVERS_MAX, type Approvers } from '@burgee/contract'
import { Alert, List, MultiSelect, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useRoles } from '../../../parts/roles/use-roles.ts'
import { type ApproverSettings, findApproverProblems } from './assess-approvers.ts'
import { useCandidates } from './use-candidates.ts'

interface ApproversFieldProps {
  readonly settings: ApproverSettings
  readonly onChange: (approvers: Approvers) => void
  readonly error: string | undefined
}

/** The choice of people and roles that approve, with a warning where they are too few. */
export function ApproversField({ settings, onChange, error }: ApproversFieldProps) {
  const roles = useRoles()
  const candidates = useCandidates()
  const values = settings.approvers.map(toValue)
  const people = (candidates ?? []).map(({ email, name, user_id }) => ({
    value: toValue({ user_id }),
    label: `${name} (${email})`,
  }))
  const groups = roles.map(({ key, name }) => ({ value: toValue({ role: key }), label: `Role ${name}` }))
  const known = new Set([...people, ...groups].map(({ value }) => value))
  const unknown = values
    .filter((value) => !known.has(value))
    .map((value) => ({ value, label: unnamed(value) }))
  const isKnown = candidates !== undefined && roles.length > 0
  const problems = isKnown ? findApproverProblems(settings, { candidates, roles }) : []
  return (
    <Stack gap="xs">
      <MultiSelect
        label="Approvers"
        description="Only these people, and members with these roles, can approve. Empty: everyone who may review."
        placeholder={values.length === 0 ? 'Everyone who may review' : ''}
        data={[
          { group: 'Roles', items: groups },
          { group: 'People', items: [...people, ...unknown] },
        ]}
        value={values}
        onChange={(chosen) => onChange(chosen.map(toApprover))}
        maxValues={APPROVERS_MAX}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage="No such person or role in this project"
        error={error}
      />
      {problems.length > 0 && (
        <Alert
          variant="light"
          color="yellow"
          icon={<IconAlertTriangle size={18} />}
          title="Some changes could not be approved"
          role="status"
        >
          {problems.length === 1 ? (
            <Text size="sm">{problems[0]}</Text>
          ) : (
            <List size="sm">
              {problems.map((problem) => (
                <List.Item key={problem}>{problem}</List.Item>
              ))}
            </List>
          )}
        </Alert>
      )}
    </Stack>
  )
}

const ROLE = 'role:'
const USER = 'user:'

const toValue = (one: Approvers[number]): string =>
  'role' in one ? `${ROLE}${one.role}` : `${USER}${one.user_id}`

const toApprover = (value: string): Approvers[number] =>
  value.startsWith(ROLE) ? { role: value.slice(ROLE.length) } : { user_id: Number(value.slice(USER.length)) }

/** Names an approver who is in none of the lists, such as one who has left the project. */
const unnamed = (value: string): string =>
  value.startsWith(ROLE) ? `Role ${value.slice(ROLE.length)}` : `User ${value.slice(USER.length)}`
