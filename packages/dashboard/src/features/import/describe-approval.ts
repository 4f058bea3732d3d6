import type { Environment } from '@burgee/contract'

/** Returns what an import does where changes need approval; null where they need none. */
export const describeApproval = (
  environment: Pick<Environment, 'name' | 'require_approval'>,
): string | null =>
  environment.require_approval
    ? `${environment.name} needs approval: changes of its flags become change requests, which someone else approves. New flags are written at once, unless a flag there needs them or they were deleted before.`
    : null
