import type { Refusal } from '../../kernel/refusal.ts'

/** An error as the API of OpenFeature's command line has it. */
interface ManifestFailure {
  readonly error: {
    readonly message: string
    readonly status: number
    readonly details?: readonly { readonly field: string; readonly message: string }[]
  }
}

const MANIFEST_URL = /^\/openfeature\/v0\/manifest(?:[/?#]|$)/

/** Returns whether an address belongs to the manifest. */
export const isManifestUrl = (url: string): boolean => MANIFEST_URL.test(url)

/** Returns the body of a refusal; null for an internal error. */
export function toManifestFailure(refusal: Refusal | null, message: string, status: number): ManifestFailure {
  const details = refusal?.extras.details?.map(({ message: text, path }) => ({
    field: path.replace(/^\//, '').replaceAll('/', '.'),
    message: text,
  }))
  return { error: { message, status, ...(details && { details }) } }
}
