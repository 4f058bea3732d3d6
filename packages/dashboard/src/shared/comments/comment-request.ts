import { createTextRequest } from '../text-requests/text-request.ts'

/** The comment on a write that the server refuses without one, with why it is needed. */
export const commentRequest = createTextRequest<string>()
