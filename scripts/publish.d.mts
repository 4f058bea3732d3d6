interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export function inPublishingOrder<Some extends Manifest>(manifests: readonly Some[]): Some[]
