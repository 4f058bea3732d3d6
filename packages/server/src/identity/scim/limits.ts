/** The resources of one page. */
export const PAGE_MAX = 200
/** The members in the response to one list. A page ends early, so that it stays below. */
export const PAGE_MEMBERS_MAX = 10_000
export const GROUP_MEMBERS_MAX = 10_000
export const GROUPS_MAX = 10_000
export const USERS_MAX = 100_000
export const PATCH_OPERATIONS_MAX = 1_000
export const EMAILS_MAX = 20
export const FILTER_MAX_LENGTH = 1_000
export const FILTER_CONDITIONS_MAX = 5
export const PATH_MAX_LENGTH = 500
/** The characters of a userName, an externalId or a name. */
export const TEXT_MAX_LENGTH = 320
/** The body of a group with 10,000 members has less than 2 MiB. */
export const SCIM_BODY_MAX_BYTES = 2 * 1024 * 1024
