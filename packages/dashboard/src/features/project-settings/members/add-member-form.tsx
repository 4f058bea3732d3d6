import { MEMBER_CANDIDATES_MAX, type MemberCandidate } from '@burgee/contract'
import { Alert, Radio, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roleName, useRoles } from '../../../parts/roles/use-roles.ts'
import { call } from '../../../shared/api/call.ts'
import { filteredQuery } from '../../../shared/api/queries.ts'
import { requireFilled } from '../../../shared/forms/field-errors.ts'
import { FormActions } from '../../../shared/forms/form-actions.tsx'
import { useSubmit } from '../../../shared/forms/use-submit.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { describeEnvironmentRoles } from './environment-roles.ts'
import { rolesOnOffer } from './project-roles.ts'

export function AddMemberForm({ onDone }: { readonly onDone: () => void }) {
  const { project_id } = useScope()
  const roles = useRoles()
  const [picked, setPicked] = useState<MemberCandidate | null>(null)
  const [role, setRole] = useState('viewer')
  const { errors, failure, formProps, isBusy } = useSubmit(['user_id'], async () => {
    requireFilled([['user_id', picked?.email ?? '', 'Choose who becomes a member.']])
    if (!picked) return
    await call('addMember', { params: { project_id }, body: { user_id: picked.user_id, role } })
    notifySuccess({ message: 'The member is added.' })
    onDone()
  })
  return (
    <form {...formProps}>
      <Stack>
        {failure !== null && <Failure error={failure} />}
        <CandidateField picked={picked} onPick={setPicked} error={errors.user_id} />
        <Radio.Group label="Role" value={role} onChange={setRole}>
          <Stack gap="sm" mt={8} mah={260} style={{ overflowY: 'auto' }}>
            {rolesOnOffer(roles).map(({ value, label, description }) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        {picked && <FormerRoles candidate={picked} />}
        <FormActions submitLabel="Add member" isBusy={isBusy} onCancel={onDone} />
      </Stack>
    </form>
  )
}

/** The roles in single environments that an earlier membership has left behind, which apply again. */
function FormerRoles({ candidate }: { readonly candidate: MemberCandidate }) {
  const { environments } = useScope()
  const roles = useRoles()
  const nameOf = (role: string) => roleName(roles, role)
  const former = describeEnvironmentRoles(candidate.environment_roles ?? [], { environments, nameOf })
  if (former.length === 0) return null
  return (
    <Alert color="yellow" variant="light" title="Roles from an earlier membership">
      {candidate.name} also gets these roles again, instead of the role above: {former.join(', ')}. You can
      change them in the list of members.
    </Alert>
  )
}

const SEARCH_DELAY_MS = 200

interface CandidateFieldProps {
  readonly picked: MemberCandidate | null
  readonly onPick: (candidate: MemberCandidate | null) => void
  readonly error: string | undefined
}

/** Finds users who are not members yet; the server searches, by name and e-mail. */
function CandidateField({ picked, onPick, error }: CandidateFieldProps) {
  const { project_id } = useScope()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text, SEARCH_DELAY_MS)
  // Once a person is picked, the field shows their name, which is not a search text.
  const query = picked ? {} : { q }
  const {
    data = [],
    isError,
    isFetching,
  } = useQuery(filteredQuery('listMemberCandidates', { params: { project_id }, query }))
  const shown = picked && !data.some(({ user_id }) => user_id === picked.user_id) ? [picked, ...data] : data
  return (
    <Select
      label="Person"
      description={`By name or e-mail; the first ${MEMBER_CANDIDATES_MAX} are shown. New people get an account from a workspace admin first.`}
      placeholder="Search people"
      searchable
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      data={shown.map(({ user_id, name }) => ({ value: String(user_id), label: name }))}
      value={picked ? String(picked.user_id) : null}
      onChange={(value) => onPick(shown.find(({ user_id }) => String(user_id) === value) ?? null)}
      renderOption={({ option }) => (
        <Candidate candidate={shown.find(({ user_id }) => String(user_id) === option.value)} />
      )}
      nothingFoundMessage={
        isFetching
          ? 'Searching'
          : isError
            ? 'People could not be loaded. Type again.'
            : 'No matching person outside the project'
      }
      error={error}
      data-autofocus
    />
  )
}

const Candidate = ({ candidate }: { readonly candidate: MemberCandidate | undefined }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm" truncate>
      {candidate?.name}
    </Text>
    <Text size="xs" c="dimmed" truncate>
      {candidate?.email}
    </Text>
  </Stack>
)
