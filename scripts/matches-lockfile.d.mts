interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

export function matchesLockfile(
  installed: Readonly<Record<string, LockedPackage>>,
  wanted: Readonly<Record<string, LockedPackage>>,
): boolean
