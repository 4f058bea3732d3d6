/** The limits of the API (docs/reference/api.md#limits). */

export const KEY_MAX_LENGTH = 100
/**
 * The pattern of flag, segment, experiment and goal event keys: ASCII letters and digits, underscore, hyphen.
 */
export const KEY_PATTERN = '^[A-Za-z0-9_-]+$'

/** The length of names, which every list contains. */
export const NAME_MAX_LENGTH = 1_000

export const ENVIRONMENT_NAME_MAX_LENGTH = 100
export const ENVIRONMENT_SLUG_MAX_LENGTH = 64
export const ENVIRONMENT_SLUG_PATTERN = '^[a-z0-9-]+$'
export const PROJECT_SLUG_MAX_LENGTH = 64
export const COLOR_PATTERN = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$'
export const DEFAULT_ENVIRONMENT_COLOR = '#6366f1'

export const ROLLOUT_PERCENTAGE_MAX = 100
/** The rollout in thousandths of a percent. */
export const ROLLOUT_THOUSANDTHS_MAX = 100_000
export const OWNER_EMAIL_MAX_LENGTH = 320
/** The characters of a description in types and manifests of the server. */
export const DESCRIPTION_SHOWN_MAX_LENGTH = 1_000
export const RULE_DESCRIPTION_MAX_LENGTH = 200
export const BUCKET_BY_MAX_LENGTH = 200
export const SALT_MAX_LENGTH = 200
export const VARIANT_NAMES_MAX = 100
export const VARIANT_NAME_MAX_LENGTH = 100
/** The metadata of a flag: its entries, and the bytes of its JSON. */
export const METADATA_ENTRIES_MAX = 50
export const METADATA_MAX_BYTES = 4 * 1024
export const MANAGED_BY_MAX_LENGTH = 200
export const FLAG_LINKS_MAX = 20
export const LINK_TITLE_MAX_LENGTH = 200
export const LINK_URL_MAX_LENGTH = 2_000
/** The JSON Schema of a flag's values: bytes and levels. */
export const VALUE_SCHEMA_MAX_BYTES = 64 * 1024
export const VALUE_SCHEMA_DEPTH_MAX = 20
/** The user keys that a segment includes, and those that it excludes. */
export const SEGMENT_KEYS_MAX = 10_000
export const SEGMENT_KEY_MAX_LENGTH = 1_024

/** Webhooks, and chat integrations, of an environment. */
export const WEBHOOKS_MAX = 100
export const INTEGRATIONS_MAX = 100

/** The listed things that exceed a later bound. */
export const EXCEEDED_BOUNDS_MAX = 1_000

/** Custom roles of the workspace. */
export const ROLES_MAX = 100
export const ROLE_KEY_MAX_LENGTH = 64
export const ROLE_KEY_PATTERN = '^[a-z0-9_-]+$'
export const ROLE_NAME_MAX_LENGTH = 100
export const ROLE_DESCRIPTION_MAX_LENGTH = 500
/** Environments in one change of a member's roles. */
export const ROLE_OVERRIDES_MAX = 500

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_BYTES = 1024

export const TOKEN_EXPIRY_DAYS_MAX = 365
/** The valid tokens that can be created with one token, and with those that it created. */
export const TOKEN_TREE_MAX = 100

export const LOGIN_FAILURES_BEFORE_LOCK = 5
export const LOGIN_FAILURE_WINDOW_MS = 10 * 60_000
export const LOGIN_LOCK_MS = 15 * 60_000
/** The age at which a login is too old for what needs a recent one. */
export const RECENT_LOGIN_MS = 10 * 60_000
/** The characters of a browser's name for itself that a session keeps. */
export const USER_AGENT_MAX_LENGTH = 300
/** The length of the path that a login with single sign-on opens afterwards. */
export const RETURN_TO_MAX_LENGTH = 1_000
export const SERVICE_ACCOUNT_NAME_MAX_LENGTH = 100
/** Words with single spaces between them. Without `@`, the name of an actor is never that of a person. */
export const SERVICE_ACCOUNT_NAME_PATTERN = '^[^@\\s]+(?: [^@\\s]+)*$'
/** The length of the name of a group at the identity provider. */
export const GROUP_NAME_MAX_LENGTH = 256
export const GROUP_MAPPINGS_MAX = 1_000
/** The time between the password and the second factor of a login, and the life of a passkey's challenge. */
export const LOGIN_STEP_MS = 5 * 60_000
/** The characters of a code of an authenticator app or a recovery code, with what is ignored in it. */
export const CODE_MAX_LENGTH = 100
export const RECOVERY_CODES_COUNT = 10
/** The passkeys of an account, and the characters of the name of each. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX_LENGTH = 100
/** The characters of each text of a passkey's response: an RSA key of 4,096 bits takes less than 2,000. */
export const PASSKEY_TEXT_MAX_LENGTH = 8_000
export const PASSKEY_TRANSPORTS_MAX = 10
export const SECOND_FACTOR_GRACE_DAYS_MAX = 365
export const SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000

export const KEEP_ALIVE_MS = 15_000

export const JSON_DEPTH_MAX = 32
/** Fields of all objects in one body of the control plane. */
export const JSON_FIELDS_MAX = 50_000
/** Fields in one body of an endpoint that takes more than `BODY_MAX_BYTES`. */
export const LARGE_JSON_FIELDS_MAX = 200_000
/** Items of all lists in one body of the control plane. */
export const JSON_ITEMS_MAX = 100_000
/** The number of problems in one response, and of unknown fields in its warnings. */
export const PROBLEMS_MAX = 50
/** The body size of the control plane. Reports have a separate limit. */
export const BODY_MAX_BYTES = 1024 * 1024
/** The body size before the caller is authenticated. */
export const ANONYMOUS_BODY_MAX_BYTES = 16 * 1024

/** The largest id of an integer column (PostgreSQL `integer`). */
export const INTEGER_ID_MAX = 2_147_483_647

/** Flags that the preview of a segment shows, and JSON of the differences of each. */
export const SEGMENT_PREVIEW_FLAGS_MAX = 50
export const SEGMENT_PREVIEW_CHANGES_MAX_BYTES = 16 * 1024

/** The characters of the comment on a write. */
export const COMMENT_MAX_LENGTH = 500

/** The characters of a search for change requests. */
export const REQUEST_SEARCH_MAX_LENGTH = 200

/** The preferences of one user in one project. */
export const FAVORITE_FLAGS_MAX = 200
export const SAVED_FILTERS_MAX = 50
export const SAVED_FILTER_NAME_MAX_LENGTH = 60
export const SAVED_FILTER_QUERY_MAX_LENGTH = 1_000
export const ENVIRONMENT_ORDER_MAX = 500

/** People who must approve a change, and entries of an environment's list of approvers. */
export const MIN_APPROVALS_MAX = 5
export const APPROVERS_MAX = 50
export const PRIVATE_ATTRIBUTES_MAX = 100
/** The characters of a user key in a path. */
export const SEEN_USER_PATH_MAX_LENGTH = 300
export const BYPASS_REASON_MAX_LENGTH = 500
/** The comments on one change request. */
export const REQUEST_COMMENTS_MAX = 100
/** Those of them that people who neither review nor requested it can write, together and each. */
export const READER_COMMENTS_MAX = 50
export const OWN_READER_COMMENTS_MAX = 20
/** The scheduled changes that one call makes change requests of. */
export const PLANNED_CHANGES_MAX = 100

/** The number of flags in one bulk action. */
export const BULK_KEYS_MAX = 1000
/** The changes of a window of time in one response. */
export const INCIDENT_LIMIT_DEFAULT = 200
/** The writes of a list of incidents whose impact is computed. */
export const INCIDENT_IMPACTS_MAX = 20

/** The entries of one undo. */
export const REVERTED_ENTRIES_MAX = 50

/** The flags and segments of one apply, and the bytes of the differences in its response. */
export const APPLY_FLAGS_MAX = 1000
export const APPLY_SEGMENTS_MAX = 200
export const APPLY_CHANGES_MAX_BYTES = 4 * 1024 * 1024
/** The body of an import, its files, the names in it, and the attributes that it renames. */
export const IMPORT_BODY_MAX_BYTES = 4 * 1024 * 1024
export const IMPORT_FILES_MAX = 50
export const IMPORT_NAME_MAX_LENGTH = 255
export const IMPORT_ATTRIBUTES_MAX = 100
/** The flags that one evaluation names, and those that have a trace unless the caller requests otherwise. */
export const EVALUATED_FLAGS_MAX = 100
export const TRACED_FLAGS_DEFAULT = 10
/** The number of users in the results of the search for new members (docs/reference/access.md). */
export const MEMBER_CANDIDATES_MAX = 20
/** The number of entries of a flag's history in one response. */
export const HISTORY_LIMIT_MAX = 200

/** The largest `limit` of a list. Without `limit`, the response has the whole list, as far as it fits. */
export const LIST_LIMIT_MAX = 500

/** The number of audit log entries in one response. */
export const AUDIT_LIMIT_DEFAULT = 50
export const AUDIT_LIMIT_MAX = 200
/** The characters of a credential's kind and id in a filter. */
export const AUDIT_CREDENTIAL_MAX_LENGTH = 100

/** The number of impressions or goal events in one request. */
export const INGEST_BATCH_MAX = 500
/** The body size of reports. It fits a full batch with the largest contexts and values that are kept. */
export const INGEST_BODY_MAX_BYTES = 16 * 1024 * 1024
/** The body size of reports with a client key, which is public. */
export const CLIENT_INGEST_BODY_MAX_BYTES = 1024 * 1024
/** The body size of an acknowledgment, and the flag keys and revisions in it. */
export const ACK_BODY_MAX_BYTES = 8 * 1024
export const ACK_UNKNOWN_MAX = 100
export const ACK_APPLIED_MAX = 50
/** The clients of an environment that confirm what they have applied. Further ones do not confirm. */
export const CLIENTS_MAX = 50_000
/** The newest revisions for which confirmations are counted. */
export const PROPAGATION_REVISIONS_MAX = 200
/** The characters of the name of a program, its instance and its SDK. */
export const CLIENT_TEXT_MAX_LENGTH = 100
export const CLIENT_LIMIT_DEFAULT = 50
export const CLIENT_LIMIT_MAX = 200
/** The number of evaluations of one unknown flag in an acknowledgment. */
export const ACK_COUNT_MAX = 1_000_000_000
/** The unknown flags of an environment. Keys that only browsers report fill at most half of them. */
export const UNKNOWN_FLAGS_MAX = 1_000
/** The days for which an unknown flag is kept after its last report. */
export const UNKNOWN_FLAG_DAYS = 30
/** The other environments that an unknown flag names. */
export const UNKNOWN_FLAG_ENVIRONMENTS_MAX = 10

/** The length, in characters, to which the value of an impression is cut. */
export const IMPRESSION_VALUE_MAX_LENGTH = 8_192
export const REPORTED_USER_ID_MAX_LENGTH = 1_024
/** The size as JSON above which a context becomes null. */
export const REPORTED_CONTEXT_MAX_BYTES = 8 * 1024

/**
 * The age of reports with client keys, which are public. An older or future time is replaced by the time of
 * arrival.
 */
export const CLIENT_REPORT_AGE_MAX_MS = 24 * 60 * 60_000
export const CLIENT_REPORT_AHEAD_MAX_MS = 5 * 60_000
/** The number of new names that an environment accepts from client keys in a day (UTC). */
export const CLIENT_NEW_FLAG_KEYS_A_DAY = 200
export const CLIENT_NEW_EVENT_KEYS_A_DAY = 200
/** The number for each flag. Keys that are not flags of the environment share one such number. */
export const CLIENT_NEW_VALUES_A_DAY = 200
/** The name under which further new names are counted. No flag key and no event key can have it. */
export const OTHER_NAME = '(other)'

/** The number of unknown flag keys, and of event keys without an experiment, in one response. */
export const REPORTED_NAMES_MAX = 1_000
/**
 * Values of one flag in one response, the most frequent first: a flag may give a value of its own to each
 * user.
 */
export const LISTED_VALUES_MAX = 1_000

export const IMPRESSION_LIMIT_DEFAULT = 50
export const IMPRESSION_LIMIT_MAX = 200
/** The number of days in the timeline of an exposure and in the activity. */
export const EXPOSURE_DAYS_DEFAULT = 14
export const EXPOSURE_DAYS_MAX = 90

/** The p-value below which a difference is significant (docs/reference/reports.md#experiment-results). */
export const SIGNIFICANCE_THRESHOLD = 0.05

/** The length of the address of a webhook or chat. */
export const WEBHOOK_URL_MAX_LENGTH = 2_000

/** The number of deliveries that the log of a webhook shows and that the log of a chat keeps. */
export const WEBHOOK_DELIVERIES_MAX = 100
export const INTEGRATION_DELIVERIES_MAX = 200

/** The days without evaluations or changes after which flags are stale (docs/trust.md#flags-to-remove). */
export const STALE_DAYS_DEFAULT = 30
export const STALE_DAYS_MAX = 365
/** The age that the report of stale flags may have. */
export const STALE_MAX_AGE_SECONDS = 3600
/** The places in the code of one repository, and what they hold. */
export const REFERENCES_MAX = 20_000
export const REFERENCES_MAX_BYTES = 8 * 1024 * 1024
export const REFERENCE_REPOSITORIES_MAX = 100
export const REFERENCE_TEXT_MAX_LENGTH = 200
export const REFERENCE_PATH_MAX_LENGTH = 500
export const REFERENCE_NAME_MAX_LENGTH = 200
export const REFERENCE_LINE_MAX = 100_000_000
export const REFERENCES_SHOWN = 200
export const URL_TEMPLATE_MAX_LENGTH = 1_000

/** The changes of an environment that one request replays for a user. */
export const EVALUATE_HISTORY_CHANGES_MAX = 20_000
export const DRIFT_NOTES_MAX = 1000
export const DRIFT_REASON_MAX_LENGTH = 500
/** The changes, given users and example users of one computation of an impact, and the bytes of its body. */
export const IMPACT_CHANGES_MAX = 50
export const IMPACT_USERS_MAX = 10_000
export const IMPACT_EXAMPLES_MAX = 100
export const IMPACT_BODY_MAX_BYTES = 8 * 1024 * 1024
/** The bytes of an apply: as many users as an impact takes, and what is applied as in any other body. */
export const APPLY_BODY_MAX_BYTES = IMPACT_BODY_MAX_BYTES + BODY_MAX_BYTES
/** The days for which seen users can be kept. */
export const SEEN_USERS_DAYS_MAX = 90

/** The demands on flags of one project (docs/trust.md#invariants). */
export const INVARIANTS_MAX = 100
export const OVERRIDE_REASON_MAX_LENGTH = 500
export const INVARIANT_MAX_BYTES = 64 * 1024
export const INVARIANT_CONDITIONS_MAX = 20
export const INVARIANT_VALUES_MAX = 100
export const INVARIANT_DESCRIPTION_MAX_LENGTH = 1_000
