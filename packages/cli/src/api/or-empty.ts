import { ApiError } from './api-error.ts'

/** Returns an empty list instead of an error when the login may not read the list. */
export async function orEmpty<Item>(
  list: Promise<Item[]>,
  statuses: readonly number[] = [403],
): Promise<Item[]> {
  try {
    return await list
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return []
    throw error
  }
}
