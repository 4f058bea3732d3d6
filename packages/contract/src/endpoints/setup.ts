import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { ANONYMOUS_BODY_MAX_BYTES } from '../limits.ts'
import { Environment } from '../schemas/environment.ts'
import { Project } from '../schemas/project.ts'
import { CreatedSdkKey } from '../schemas/sdk-key.ts'
import { Warning } from '../schemas/warning.ts'
import { CurrentUser, SetupInput, SetupState } from '../schemas/workspace.ts'

export const setupEndpoints = {
  getSetup: endpoint({
    method: 'GET',
    path: '/api/setup',
    summary: 'Is the workspace set up?',
    description: 'Before setup it needs the one-time setup token as a bearer; afterwards it is public.',
    tag: 'Setup',
    access: 'setup_token',
    responses: { 200: SetupState },
  }),
  completeSetup: endpoint({
    method: 'POST',
    path: '/api/setup',
    summary: 'Set up the workspace',
    description:
      'Creates the first admin and the first project with its environments and Production key in one transaction, and signs the admin in.',
    tag: 'Setup',
    access: 'setup_token',
    body: SetupInput,
    bodyMaxBytes: ANONYMOUS_BODY_MAX_BYTES,
    responses: {
      200: Type.Object({
        user: CurrentUser,
        project: Project,
        environments: Type.Array(Environment),
        sdk_key: CreatedSdkKey,
        warnings: Type.Optional(
          Type.Array(Warning, {
            description: 'Warnings about probable mistakes; absent when there are none',
          }),
        ),
      }),
    },
    errors: [409],
    refusals: {
      401: 'The setup token is missing or wrong',
      409: 'Setup is already complete',
    },
    sends: ['Set-Cookie'],
  }),
} as const
