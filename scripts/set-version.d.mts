export interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const SDK_FILE: string

export function findWorkspaces(): string[]
export function withVersion<M extends Manifest>(manifest: M, version: string): M
export function withSdkVersion(source: string, version: string): string
export function withRelease(changelog: string, version: string, date: string): string
export function withImageVersion(manifest: string, version: string): string
