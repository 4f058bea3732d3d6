import type { Environment, SdkKey } from '@burgee/contract'
import { call } from '../../../shared/api/call.ts'
import { confirm } from '../../../shared/forms/confirm.tsx'
import { isProduction } from '../../../shared/scope/is-production.ts'
import { useScope } from '../../../shared/scope/use-scope.ts'
import { notifySuccess } from '../../../shared/ui/notify.tsx'
import { DescendantsChoice } from './descendants-choice.tsx'
import { findDescendants } from './key-tree.ts'

interface Revocation {
  readonly sdk_key: SdkKey
  readonly environment: Environment
  /** All keys of the project. */
  readonly keys: readonly SdkKey[]
}

/**
 * Opens a confirmation before a key is revoked. It offers to revoke the keys that were created with it too.
 */
export function useRevocation({ environment, keys, sdk_key }: Revocation): () => void {
  const { project_id } = useScope()
  const { id, name, prefix } = sdk_key
  return () => {
    const descendants = findDescendants(keys, id)
    // A project keeps at least one key.
    const areAll = descendants.length + 1 === keys.length
    const choice = { children: descendants.length > 0 && !areAll }
    confirm({
      title: 'Revoke this SDK key?',
      children: (
        <>
          Everything that uses <b>{name}</b> ({prefix}) stops receiving flags within a second, and cannot
          connect again. This cannot be undone.
          {descendants.length > 0 && (
            <DescendantsChoice
              descendants={descendants}
              areAll={areAll}
              onChange={(children) => {
                choice.children = children
              }}
            />
          )}
        </>
      ),
      confirmLabel: 'Revoke SDK key',
      ...(isProduction(environment) && { typed: environment.slug }),
      onConfirm: async () => {
        const query = choice.children ? { children: true } : {}
        await call('revokeSdkKey', { params: { project_id, id }, query })
        notifySuccess({ message: choice.children ? 'The keys are revoked.' : 'The key is revoked.' })
      },
    })
  }
}
