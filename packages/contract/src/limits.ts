/** The limits of the API (docs/reference/api.md#limits). */

export const KEY_MAX_LENGTH = 100
/** Flag, segment, experiment and goal event keys: ASCII alphanumerics, underscore, hyphen. */
export const KEY_PATTERN = '^[A-Za-z0-9_-]+$'

/** Of names: they are in every list. */
export const NAME_MAX_LENGTH = 1_000

export const ENVIRONMENT_NAME_MAX_LENGTH = 100
export const ENVIRONMENT_SLUG_MAX_LENGTH = 64
export const ENVIRONMENT_SLUG_PATTERN = '^[a-z0-9-]+$'
export const PROJECT_SLUG_MAX_LENGTH = 64
export const COLOR_PATTERN = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'
export const DEFAULT_ENVIRONMENT_COLOR = '#6366f1'

export const ROLLOUT_PERCENTAGE_MAX = 100
export const OWNER_EMAIL_MAX_LENGTH = 320

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_BYTES = 1024

export const TOKEN_EXPIRY_DAYS_MAX = 365

export const LOGIN_FAILURES_BEFORE_LOCK = 5
export const LOGIN_FAILURE_WINDOW_MS = 10 * 60_000
export const LOGIN_LOCK_MS = 15 * 60_000
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000

export const KEEP_ALIVE_MS = 15_000

export const JSON_DEPTH_MAX = 32
/** Fields of all objects in one body of the control plane. */
export const JSON_FIELDS_MAX = 50_000
/** Items of all lists in one body of the control plane. */
export const JSON_ITEMS_MAX = 100_000
/** Problems that the answer to one request names, and unknown fields that its warnings name. */
export const PROBLEMS_MAX = 50
/** Bodies of the control plane; ingest has a limit of its own. */
export const BODY_MAX_BYTES = 1024 * 1024
/** What is read before anybody has shown who they are. */
export const ANONYMOUS_BODY_MAX_BYTES = 16 * 1024

/** The largest id of an integer column (PostgreSQL `integer`). */
export const INTEGER_ID_MAX = 2_147_483_647

/** Flags that one bulk action may name. */
export const BULK_KEYS_MAX = 1000
/** Users that the search for new members gives at most (docs/reference/access.md). */
export const MEMBER_CANDIDATES_MAX = 20
/** Entries of a flag's history in one answer. */
export const HISTORY_LIMIT_MAX = 200

/** Items of a list in one answer, where `limit` is sent; without it a list is whole, as far as it fits. */
export const LIST_LIMIT_MAX = 500

/** Entries of the audit log in one answer. */
export const AUDIT_LIMIT_DEFAULT = 50
export const AUDIT_LIMIT_MAX = 200

/** Impressions or goal events in one request. */
export const INGEST_BATCH_MAX = 500
/** A batch of impressions with the largest contexts and values that are kept. */
export const INGEST_BODY_MAX_BYTES = 16 * 1024 * 1024
/** A batch that is sent with a client key, which anybody can read who opens the page. */
export const CLIENT_INGEST_BODY_MAX_BYTES = 1024 * 1024
/** What is longer is cut, in characters. */
export const IMPRESSION_VALUE_MAX_LENGTH = 8_192
export const REPORTED_USER_ID_MAX_LENGTH = 1_024
/** What is larger, as JSON, becomes null. */
export const REPORTED_CONTEXT_MAX_BYTES = 8 * 1024

/** Reports by client keys, which anybody can read in a browser: what lies outside is the time of arrival instead. */
export const CLIENT_REPORT_AGE_MAX_MS = 24 * 60 * 60_000
export const CLIENT_REPORT_AHEAD_MAX_MS = 5 * 60_000
/** Names that were unknown before and that an environment takes from client keys in a day (UTC). */
export const CLIENT_NEW_FLAG_KEYS_A_DAY = 200
export const CLIENT_NEW_EVENT_KEYS_A_DAY = 200
/** Of one flag; keys that are no flag of the environment share one such number. */
export const CLIENT_NEW_VALUES_A_DAY = 200
/** What is beyond is counted under this name. It is no flag key and no key of a goal of an experiment. */
export const OTHER_NAME = '(other)'

/** Of flag keys that are no flag of the environment, and of event keys that no experiment names, in one answer. */
export const REPORTED_NAMES_MAX = 1_000

export const IMPRESSION_LIMIT_DEFAULT = 50
export const IMPRESSION_LIMIT_MAX = 200
/** Of the daily timeline of an exposure, and of the activity. */
export const EXPOSURE_DAYS_DEFAULT = 14
export const EXPOSURE_DAYS_MAX = 90

/** Below it a difference counts as significant (docs/reference/reports.md#experiment-results). */
export const SIGNIFICANCE_THRESHOLD = 0.05

/** Of a webhook's or a chat's address. */
export const WEBHOOK_URL_MAX_LENGTH = 2_000

/** Of the log of a webhook's deliveries that is shown, and of a chat's that is kept. */
export const WEBHOOK_DELIVERIES_MAX = 100
export const INTEGRATION_DELIVERIES_MAX = 200
