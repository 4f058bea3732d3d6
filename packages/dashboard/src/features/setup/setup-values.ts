import { NAME_MAX_LENGTH, PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH, type SetupInput } from '@burgee/contract'
import { ApiError } from '../../shared/api/api-error.ts'
import { type FieldErrors, fieldErrors } from '../../shared/forms/field-errors.ts'

/** The fields of the wizard. */
export interface SetupValues {
  readonly workspace_name: string
  readonly project_name: string
  readonly name: string
  readonly email: string
  readonly password: string
}

export const NO_VALUES: SetupValues = {
  workspace_name: '',
  project_name: '',
  name: '',
  email: '',
  password: '',
}

export const FIELDS_OF_STEP = {
  workspace: ['workspace_name', 'project_name'],
  account: ['name', 'email', 'password'],
} as const satisfies Record<string, readonly (keyof SetupValues)[]>

const ALL_FIELDS = [...FIELDS_OF_STEP.workspace, ...FIELDS_OF_STEP.account]

export function toSetupInput({ workspace_name, project_name, ...admin }: SetupValues): SetupInput {
  return {
    workspace_name: workspace_name.trim(),
    project_name: project_name.trim(),
    admin: {
      name: admin.name.trim(),
      email: admin.email.trim(),
      password: admin.password,
      password_policy: 'strict',
    },
  }
}

/** The problems of the fields of one step that need no server to find; empty where there are none. */
export function findProblems(values: SetupValues, step: keyof typeof FIELDS_OF_STEP): FieldErrors {
  const found = FIELDS_OF_STEP[step].map((field) => [field, PROBLEMS[field](values[field])])
  return Object.fromEntries(found.filter(([, problem]) => problem !== null))
}

/**
 * The problems of the fields in the server's response. `hasRest` is true if it states more than belongs to a
 * field.
 */
export function readRefusal(error: unknown) {
  if (!(error instanceof ApiError)) return { errors: {}, hasRest: true }
  const details = error.details.map(({ message, path }) => ({
    message,
    path: path.replace(/^\/admin(?=\/)/, ''),
  }))
  return fieldErrors(new ApiError(error.status, { ...error.body, details }), ALL_FIELDS)
}

const nameProblem = (what: string) => (text: string) => {
  if (text.trim() === '') return `Enter ${what}.`
  return text.length > NAME_MAX_LENGTH ? `At most ${NAME_MAX_LENGTH.toLocaleString()} characters.` : null
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

const PROBLEMS: Readonly<Record<keyof SetupValues, (text: string) => string | null>> = {
  workspace_name: nameProblem('a name for the workspace'),
  project_name: nameProblem('a name for the project'),
  name: nameProblem('your name'),
  email: (text) => (EMAIL.test(text.trim()) ? null : 'Enter an e-mail address, such as ada@example.com.'),
  password: (text) => {
    if ([...text].length < PASSWORD_MIN_LENGTH) return `Use at least ${PASSWORD_MIN_LENGTH} characters.`
    const bytes = new TextEncoder().encode(text).length
    return bytes > PASSWORD_MAX_BYTES ? 'This is too long: use at most 1,024 bytes.' : null
  },
}
