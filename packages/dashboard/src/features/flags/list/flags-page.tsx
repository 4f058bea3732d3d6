import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../../shared/api/queries.ts'
import { usePermissions } from '../../../shared/scope/use-permissions.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { useUrlState } from '../../../shared/scope/use-url-state.ts'
import { Failure } from '../../../shared/ui/failure.tsx'
import { Gated } from '../../../shared/ui/gated.tsx'
import { ButtonLink } from '../../../shared/ui/links.tsx'
import { Page } from '../../../shared/ui/page.tsx'
import { NewFlagDialog } from './create/new-flag-dialog.tsx'
import { FlagBrowser } from './flag-browser.tsx'
import { NoFlags } from './no-flags.tsx'
import { NoProgramNotice } from './no-program-notice.tsx'
import { UnknownFlags } from './unknown/unknown-flags.tsx'

/**
 * All flags of an environment. `?new=flag` opens the dialog that creates one, with `?key=` as its key, and
 * `?unknown=show` the list of flags that do not exist.
 */
export function FlagsPage() {
  const { environment_id, environment, project_id } = useScope()
  const flags = useQuery(endpointQuery('listFlags', { params: { env_id: environment_id } }))
  const [{ new: dialog, key, unknown }, set] = useUrlState({ new: '', key: '', unknown: '' })
  const permission = usePermissions()('putFlag')
  const create = (
    <Gated permission={permission}>
      <Button leftSection={<IconPlus size={16} />} onClick={() => set({ new: 'flag', key: '' })}>
        Create flag
      </Button>
    </Gated>
  )
  return (
    <Page title="Flags" actions={flags.data?.length !== 0 && create}>
      {flags.data && (
        <UnknownFlags
          flags={flags.data}
          isOpen={unknown === 'show'}
          onOpen={() => set({ unknown: 'show' })}
          onClose={() => set({ unknown: '' })}
          onCreate={(flag_key) => set({ unknown: '', new: 'flag', key: flag_key })}
        />
      )}
      {flags.data === undefined && flags.error ? (
        <Failure
          error={flags.error}
          title="The flags could not be loaded"
          onRetry={() => void flags.refetch()}
        />
      ) : flags.data?.length === 0 ? (
        <NoFlags
          environment={environment?.name ?? 'this environment'}
          action={
            <>
              {create}
              <ButtonLink variant="default" to="/projects/$project_id/import" params={{ project_id }}>
                Import flags from another service
              </ButtonLink>
            </>
          }
        />
      ) : (
        <>
          {environment && flags.data && <NoProgramNotice environment={environment} />}
          <FlagBrowser key={environment_id} flags={flags.data} />
        </>
      )}
      <NewFlagDialog
        isOpen={dialog === 'flag' && permission.isAllowed}
        flags={flags.data ?? []}
        initialKey={key}
        onClose={() => set({ new: '', key: '' })}
      />
    </Page>
  )
}
