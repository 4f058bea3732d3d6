import type { SdkKey } from '@burgee/contract'
import { Code, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Runtime } from '../../parts/connect-app/sdk-snippet.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { endpointQuery } from '../../shared/api/queries.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { ButtonLink } from '../../shared/ui/links.tsx'
import classes from './known-keys.module.css'

/** The kinds that connect a runtime; the first is the one to create. */
const KINDS: Readonly<Record<Runtime, readonly SdkKey['kind'][]>> = {
  node: ['reader', 'server'],
  browser: ['client'],
}

/** The keys that there are for this environment, by their beginnings, and the way to make one. */
export function KnownKeys({ runtime }: { readonly runtime: Runtime }) {
  const { project_id, environment_id, environment } = useScope()
  const { data, error } = useQuery(endpointQuery('listSdkKeys', { params: { project_id } }))
  const kinds = KINDS[runtime]
  const keys = data?.filter((key) => key.environment_id === environment_id && kinds.includes(key.kind))
  return (
    <Group justify="space-between" gap="sm" align="center" className={classes.box}>
      <div className={classes.keys}>
        {keys && <KeyList keys={keys} kind={kinds[0] ?? ''} environment_name={environment?.name ?? ''} />}
        {keys && keys.length > 0 && (
          <Text size="sm" c="dimmed" mt={4}>
            A key is shown in full once, when it is created. If it is lost, create another.
          </Text>
        )}
        {!keys && (error ? <Text size="sm">{messageOf(error)}</Text> : <Skeleton height={21} width={220} />)}
      </div>
      <ButtonLink
        size="xs"
        variant="default"
        to="/projects/$project_id/settings"
        params={{ project_id }}
        search={{ tab: 'keys' }}
      >
        Manage keys
      </ButtonLink>
    </Group>
  )
}

interface KeyListProps {
  readonly keys: readonly SdkKey[]
  /** The kind to create where there is none. */
  readonly kind: string
  readonly environment_name: string
}

function KeyList({ keys, kind, environment_name }: KeyListProps) {
  if (keys.length === 0) {
    return (
      <Text size="sm">
        {environment_name} has no {kind} key yet. It is shown once, when it is created.
      </Text>
    )
  }
  return (
    <>
      <Text size="sm">
        {keys.length === 1 ? 'The key' : 'The keys'} of {environment_name} that can be used here:
      </Text>
      <ul className={classes.list}>
        {keys.slice(0, SHOWN_KEYS).map(({ id, kind: ownKind, name, prefix }) => (
          <li key={id}>
            <Code>{prefix}</Code> {name} ({ownKind})
          </li>
        ))}
      </ul>
      {keys.length > SHOWN_KEYS && (
        <Text size="xs" c="dimmed">
          and {keys.length - SHOWN_KEYS} more
        </Text>
      )}
    </>
  )
}

const SHOWN_KEYS = 5
