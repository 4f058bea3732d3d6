import { type Permission, usePermissionsIn } from '../../shared/scope/use-permissions.ts'

interface Places {
  readonly source: { readonly id: string }
  /** Undefined until one is chosen. */
  readonly target: { readonly id: string } | undefined
  readonly copiesSegments?: boolean
}

/** Checks the rights that a promotion needs in both environments. */
export function usePromotePermission(): (places: Places) => Permission {
  const mayIn = usePermissionsIn()
  return ({ copiesSegments = false, source, target }) => {
    const needed = [
      mayIn('promoteFlag', source.id),
      ...(target ? [mayIn('promoteFlag', target.id)] : []),
      ...(target && copiesSegments ? [mayIn('patchSegment', target.id)] : []),
    ]
    return needed.find(({ isAllowed }) => !isAllowed) ?? { isAllowed: true }
  }
}
