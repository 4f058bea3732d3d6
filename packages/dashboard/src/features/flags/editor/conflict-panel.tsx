import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { FlagDiff } from '../../../parts/flag-diff/flag-diff.tsx'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { type DraftField, rebaseDraft } from './draft.ts'
import classes from './flow.module.css'
import type { FlagDraft } from './use-flag-draft.ts'

const NAMES: Readonly<Record<DraftField, string>> = {
  is_enabled: 'the switch',
  rollout_percentage: 'the rollout',
  description: 'the description',
  flag_type: 'the type',
  default_value: 'the default value',
  disabled_value: 'the disabled value',
  rules: 'the rules',
  variants: 'the variants',
  prerequisites: 'the prerequisites',
  tags: 'the tags',
  owner_email: 'the owner',
  rollout_thousandths: 'the rollout',
  bucket_by: 'the attribute that divides users',
  rollout_salt: 'the rollout salt',
  variant_salt: 'the variant salt',
  hash: 'the hash',
  variant_names: 'the names of values',
  metadata: 'the metadata',
  value_schema: 'the schema of values',
  lifetime: 'the lifetime',
  expires_at: 'the expiry',
  managed_by: 'the manager',
  links: 'the links',
  client_visible: 'the visibility to client keys',
}

/** The panel's id, for links to it. */
export const CONFLICT_ID = 'changed-meanwhile'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Someone else changed the flag during the edit: nothing is overwritten before the person has chosen. */
export function ConflictPanel({ editor }: { readonly editor: FlagDraft }) {
  const { base, theirs, draft, rebase, discard } = editor
  const who = useAuthor(theirs?.key ?? '', theirs?.revision ?? 0)
  if (!theirs) return null
  const { clashes } = rebaseDraft(base, theirs, draft)
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      mb="md"
      id={CONFLICT_ID}
      tabIndex={-1}
      classNames={{ title: classes.notice_title ?? '' }}
      icon={<IconUsers size={18} />}
      title={`${who ?? 'Someone else'} changed this flag while you were editing`}
    >
      <Stack gap="sm">
        <FlagDiff before={base} after={theirs} />
        <Text size="sm">
          {clashes.length === 0
            ? 'Your changes touch other fields: both fit together.'
            : `You both changed ${list.format(clashes.map((field) => NAMES[field]))}. If you keep your changes, yours count there.`}
        </Text>
        <Group gap="xs">
          <Button size="sm" onClick={rebase}>
            Keep my changes
          </Button>
          <Button size="sm" variant="default" onClick={discard}>
            Discard my changes
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** The author of that revision, from the history. */
function useAuthor(key: string, revision: number): string | undefined {
  const { environment_id: env_id } = useScope()
  const { data } = useQuery({
    ...endpointQuery('getFlagHistory', { params: { env_id, key }, query: { limit: 1 } }),
    enabled: key !== '',
    // The list may be cached from before the change.
    staleTime: 0,
  })
  return data?.find((entry) => entry.revision === revision)?.actor_email
}
