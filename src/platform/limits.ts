// Every number that bounds the service (N43), with its unit in its name. The README repeats them.

export const KB = 1024
export const MB = 1024 * KB

export const BODY_MAX_BYTES = 1 * MB
export const BATCH_BODY_MAX_BYTES = 8 * MB
export const BATCH_MAX_ENTITIES = 1000
export const ENTITY_MAX_BYTES = 512 * KB
export const ENTITY_MAX_PROPERTIES = 1000
export const PROPERTY_NAME_MAX_LENGTH = 128
export const JSON_MAX_DEPTH = 32
export const KEY_TEXT_MAX_LENGTH = 512

export const PAGE_DEFAULT_ENTITIES = 100
export const PAGE_MAX_ENTITIES = 1000
/** Rows that one page may read when a criterion has no index (N16). */
export const PAGE_SCAN_MAX_ROWS = 10_000
export const CRITERIA_MAX = 20
export const CRITERION_MAX_VALUES = 1000
export const QUERY_OBJECT_MAX_LENGTH = 16 * KB
export const QUERY_OBJECT_MAX_DEPTH = 8
export const RELATIONS_MAX = 10
export const RELATION_MAX_DEPTH = 3

/** One bound value of a D1 statement may hold 2 MB; a slice of writes stays below half of it. */
export const COMMIT_SLICE_MAX_BYTES = 1 * MB
export const FAULTS_MAX = 100

export const CREDENTIAL_CACHE_MS = 10_000
export const CREDENTIAL_CACHE_MAX_ENTRIES = 10_000
export const TOKEN_DEFAULT_TTL_SECONDS = 3600
export const TOKEN_MAX_TTL_SECONDS = 365 * 24 * 3600
export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 256

export const RATE_PERIOD_SECONDS = 60
export const RATE_LIMITS = { standard: 600, high: 6000, address: 60 } as const

export const IDEMPOTENCY_KEPT_MS = 24 * 3600 * 1000
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255

export const TYPES_MAX = 1000
export const TYPE_MAX_PROPERTIES = 500
export const TYPE_MAX_OPTIONS = 1000
export const TYPES_CACHE_MAX_ORGS = 200
/** Type verdicts that one commit may carry; see features/types. */
export const VERDICTS_MAX = 20_000
