// Every number that bounds the service (N43), with its unit in its name. The guide on limits lists them.

export const KB = 1024
export const MB = 1024 * KB
export const GB = 1024 * MB

export const BODY_MAX_BYTES = 1 * MB
export const BATCH_BODY_MAX_BYTES = 8 * MB
/** Of a body that was refused while it was still being sent. */
export const BODY_REST_MAX_BYTES = 16 * MB
export const BATCH_MAX_ENTITIES = 1000
export const ENTITY_MAX_BYTES = 512 * KB
export const ENTITY_MAX_PROPERTIES = 1000
export const PROPERTY_NAME_MAX_LENGTH = 128
export const JSON_MAX_DEPTH = 32
export const KEY_TEXT_MAX_LENGTH = 512

/** Of a size range template; the criteria, and the columns, of a saved view. */
export const SIZES_MAX = 1000
export const VIEW_MAX_LENGTH = 8000

export const PAGE_DEFAULT_ENTITIES = 100
export const PAGE_MAX_ENTITIES = 1000
/** Rows that one page may read when a criterion has no index (N16), and sort where they share the value of another column. */
export const PAGE_SCAN_MAX_ROWS = 10_000
/** What such a page may read of what entities hold, once for each criterion. */
export const PAGE_SCAN_MAX_BYTES = 16 * MB
export const CRITERIA_MAX = 20
export const CRITERION_MAX_VALUES = 1000
/** What `contains` and `startsWith` take. */
export const CRITERION_TEXT_MAX_LENGTH = 512
/** Letters beyond ASCII whose other forms are replaced on comparing without case, in all criteria of a list. */
export const CRITERIA_MAX_LETTER_FORMS = 60
/** Up to here a count is exact (N50). */
export const COUNT_MAX = 10_000
/** Times that a count without an index looks at as many entities as a page may. */
export const COUNT_MAX_SCANS = 10
/** Room for a criterion with all its values; in front of a deployed Worker, Cloudflare takes addresses of 16 KB. */
export const QUERY_OBJECT_MAX_LENGTH = 64 * KB
export const QUERY_OBJECT_MAX_DEPTH = 8
export const RELATIONS_MAX = 10
export const RELATION_MAX_DEPTH = 3
/** A page ends early when its entities hold more than this, so that large ones fit into a Worker's memory. */
export const PAGE_MAX_BYTES = 2 * MB
/** What relations may add to one answer; lists of lists multiply. */
export const RELATED_MAX_BYTES = 8 * MB

/** Change records between an entity and the earlier version that it is to have again (N52). */
export const RESTORE_MAX_RECORDS = 10_000

/** Properties of an entity type that types may mark as indexed (N49). */
export const INDEXED_PROPERTIES_MAX = 10
/** Characters of a text that an index has, and those of its beginning that `startsWith` is found by. */
export const INDEXED_TEXT_MAX_LENGTH = 200
export const INDEXED_BEGINNING_MAX_LENGTH = 50
/** Entities of an index that a list may sort, and of a type path or a status; where there are more, it looks through them in their order. */
export const INDEX_GATHER_MAX_ENTITIES = 2000
/** Entities, and bytes of them, that are taken into a new index at a time. */

/** What one commit of a background job writes: calls of other organizations wait for one such commit at most (N76). */
export const BACKGROUND_COMMIT_MAX_ENTITIES = 500
export const BACKGROUND_COMMIT_MAX_BYTES = 1 * MB

/** One bound value of a D1 statement may hold 2 MB; a slice of writes stays below half of it. */
export const COMMIT_SLICE_MAX_BYTES = 1 * MB
export const FAULTS_MAX = 100
/** Letters compared while searching the nearest name, in one call or one step of a load. */
export const ADVICE_MAX_STEPS = 5_000_000

export const CREDENTIAL_CACHE_MS = 10_000
export const CREDENTIAL_CACHE_MAX_ENTRIES = 10_000
export const TOKEN_DEFAULT_TTL_SECONDS = 3600
export const TOKEN_MAX_TTL_SECONDS = 365 * 24 * 3600
export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 256

/** Passwords that wait to be hashed, in each of the eight groups of networks and for one address; one takes about 0.2 s. */
export const HASHES_MAX_WAITING = 64
export const HASHES_MAX_WAITING_OF_ADDRESS = 8

export const SESSION_TTL_SECONDS = 12 * 3600
export const INVITATION_TTL_SECONDS = 7 * 24 * 3600
export const INVITATIONS_MAX_OPEN = 1000
export const PASSWORD_RESET_TTL_SECONDS = 24 * 3600
export const KEYS_MAX_ACTIVE = 1000
export const KEYS_MAX_ACTIVE_PER_PERSON = 50
export const ROTATION_DEFAULT_OVERLAP_SECONDS = 24 * 3600
export const ROTATION_MAX_OVERLAP_SECONDS = 30 * 24 * 3600
/** From the redirect to the identity provider until it sends the person back, and until the console or the command line fetches the session. */
export const SSO_STATE_TTL_SECONDS = 600
export const SSO_CODE_TTL_SECONDS = 60
export const SSO_PROVIDER_TIMEOUT_MS = 10_000
export const SSO_PROVIDER_ANSWER_MAX_BYTES = 256 * KB
export const AUDIT_RETENTION_DAYS = 400
/** Lines of an exported audit trail that are read at once. */
export const AUDIT_EXPORT_LINES = 1000
/** How long what a deleted organization may still leave behind is swept: longer than anything can be under way (N70). */
export const DELETED_SWEPT_DAYS = 14
/** A deletion that has got no further for so long has come to nothing: longer than any call takes. */
export const DELETION_STALL_MS = 15 * 60 * 1000
/** Invitations that are over are still listed for this long. */
export const DEAD_LETTER_RETENTION_DAYS = 90
export const ENDED_RETENTION_DAYS = 30

export const RATE_PERIOD_SECONDS = 60
export const RATE_LIMITS = {
  standard: 600,
  high: 6000,
  'standard-organization': 3000,
  'high-organization': 30_000,
  address: 60,
} as const

export const IDEMPOTENCY_KEPT_MS = 24 * 3600 * 1000
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255
/** How long the work behind a key may take before a repeat may do it again, and how long a simultaneous repeat waits for it. */
export const ANSWER_LEASE_MS = 60_000
export const ANSWER_WAIT_MS = 10_000
export const ANSWER_LOOK_MS = 50

/** What an organization may have (N60): unless the operator says otherwise, and the most that the operator may say. */
export const QUOTAS = {
  entities: 5_000_000,
  fileBytes: 100 * GB,
  types: 1000,
  /** Every isolate that writes for an organization holds all its types. */
  typeBytes: 4 * MB,
  workflowsPerTrigger: 20,
  runsPerDay: 100_000,
  concurrentLoads: 100,
} as const
export const QUOTAS_MOST = {
  entities: 100_000_000,
  fileBytes: 100 * 1024 * GB,
  types: 5000,
  typeBytes: 16 * MB,
  workflowsPerTrigger: 100,
  runsPerDay: 10_000_000,
  concurrentLoads: 1000,
} as const
export const TYPE_MAX_PROPERTIES = 500
export const TYPE_MAX_OPTIONS = 1000
/** Properties, counted once for each type that has or inherits them, in one answer of all types as JSON Schema (N53), and its size. */
export const SCHEMA_MAX_PROPERTIES = 100_000
export const SCHEMA_MAX_BYTES = 16 * MB
/** Entities that one call holds against other types, unfit ones that it shows, and faults of each (N54). */
export const TYPE_CHECK_PAGE_ENTITIES = 2000
export const TYPE_CHECK_EXAMPLES = 10
export const TYPE_CHECK_FAULTS = 5
/** No less than an organization may have of types, so that each can be remembered. */
export const TYPES_CACHE_MAX_BYTES = QUOTAS_MOST.typeBytes
export const INDEXES_CACHE_MAX_ORGS = 200
/** What the verdicts of types take that one commit may carry, in one bound value each kind of them; see features/types. */
export const VERDICTS_MAX_BYTES = 1 * MB
/** How far an organization's clock may be ahead of the platform's before it is brought back (N23). */
export const CLOCK_AHEAD_MAX_MS = 60_000

/** How often an organization with something to look after is looked after. */
export const RECOVER_PERIOD_MS = 60_000
export const RECOVER_LOCAL_PERIOD_MS = 5_000

export const WORKFLOW_MAX_PATHS = 20
export const WORKFLOW_PATH_MAX_TASKS = 50
export const TASK_CONFIG_MAX_BYTES = 64 * KB
/** Workflows that trigger each other: how long a chain may get (N36). */
export const WORKFLOW_MAX_DEPTH = 5
/** An event that starts workflows; a larger one is cut down and says so. */
export const EVENT_MAX_BYTES = 128 * KB
export const TASK_OUTPUT_MAX_BYTES = 128 * KB
/** The outputs of all tasks of one run. */
export const PROCESS_OUTPUTS_MAX_BYTES = 256 * KB
export const TASK_LOGS_MAX_LINES = 1000
export const TASK_LOGS_MAX_BYTES = 256 * KB
export const TASK_LOG_LINE_MAX_LENGTH = 10_000
export const SUBTEXT_MAX_LENGTH = 1000
export const TASK_TIMEOUT_DEFAULT_SECONDS = 7 * 24 * 3600
export const TASK_TIMEOUT_MAX_SECONDS = 90 * 24 * 3600
/** How often a task's action is begun before it counts as failed. */
export const TASK_MAX_ATTEMPTS = 5
/** How long a task's action may take before another runner takes it over. */
export const TASK_LEASE_MS = 20_000
export const CALL_TASK_LEASE_MS = 45_000
export const OUTBOUND_TASK_TIMEOUT_MS = 30_000
/** How often a run looks whether the load that it waits for has ended. */
export const LOAD_LOOK_MS = 2_000
export const LOAD_LOOK_MAX_MS = 30_000
/** How soon a task object sends its result to D1 and the run again, where that failed. */
export const TASK_OUTBOX_RETRY_MS = 10_000

export const ENDPOINTS_MAX = 100
export const ENDPOINT_MAX_EVENTS = 100
export const OUTBOUND_TIMEOUT_MS = 10_000
export const OUTBOUND_ANSWER_MAX_BYTES = 64 * KB
/** Change records that one look takes in, and those of them that it acts on. */
export const EVENTS_WINDOW_RECORDS = 2000
export const EVENTS_PASS_MAX = 100
/** Records after an event that are looked through for what the entity was at its time. */
export const EVENTS_LATER_RECORDS = 20_000
export const EVENTS_PASS_MAX_BYTES = 4 * MB

const DAY_MS = 24 * 3600 * 1000
export const RUNS_RETENTION_MS = 90 * DAY_MS
/** How long one sweep of the hour goes on in one database. */
export const SWEEP_MAX_MS = 120_000

/** Of an organization: writing one sums up the bytes of all of them. */
export const FILES_MAX = 100_000
export const UPLOAD_MAX_BYTES = 100 * MB
export const UPLOAD_FORM_MAX_BYTES = 10 * MB
/** Of an upload in parts, each but the last. */
export const UPLOAD_PART_BYTES = 8 * MB
export const UPLOAD_MAX_PARTS = 1000
export const UPLOAD_PENDING_MS = DAY_MS

export const LOAD_FILE_MAX_BYTES = 2048 * MB
export const LOAD_ROW_MAX_BYTES = 1 * MB
export const LOAD_MAX_COLUMNS = 1000
export const LOAD_CONFIGURATION_MAX_BYTES = 64 * KB
export const LOAD_MAX_MAPPINGS = 2000
export const LOAD_MAX_ASSORTMENTS = 1000
/** A chunk is what one step of a load reads. */
export const LOAD_CHUNK_BYTES = 1 * MB
export const LOAD_CHUNK_MAX_ROWS = 4000
export const LOAD_CHUNK_MAX_ISSUES = 10_000
/** Values that rows of families may still say; further ones are told at once. */
export const LOAD_CHUNK_MAX_OWED = 40_000
/** Keys of a load that a worker remembers instead of storing claims, and the file that it tries this with. */
export const LOAD_SEEN_MAX_KEYS = 1_048_576
export const LOAD_SEEN_FILE_MAX_BYTES = 256 * MB
/** What the conditional columns of one chunk may make altogether. */
export const LOAD_CHUNK_MAX_CHARACTERS = 16_000_000
/** Work of the conditional columns, of which ten take about a microsecond: of one row, of all rows of a chunk, and until others get a turn (N60). */
export const LOAD_ROW_MAX_WORK = 100_000
export const LOAD_CHUNK_MAX_WORK = 100_000_000
export const LOAD_TURN_WORK = 10_000
/** Columns of the plans that a step keeps, one for each type path that its rows name. */
export const LOAD_PLANS_MAX_COLUMNS = 50_000
/** On the process itself; the issues file has all of them. What each may say. */
export const LOAD_ISSUES_SHOWN = 100
export const LOAD_ISSUE_MAX_LENGTH = 1000
export const PUBLISH_BY_HAND_MAX_MEMBERS = 100_000
/** Composites that contain a published assortment, directly or through others: each gets a new summary. */
export const PUBLISH_MAX_COMPOSITES = 1000
/** Steps from composite to member that are followed to see that no assortment of a write contains itself. */
export const COMPOSITE_MAX_STEPS = 100_000

/** Change records that one step of a revert looks at (N52). */
export const REVERT_WINDOW_RECORDS = 2000
/** What one step may read of their histories. */
export const REVERT_STEP_MAX_BYTES = 8 * MB
/** An entity that was changed more often since is left alone. */
export const REVERT_ENTITY_MAX_RECORDS = 2000
export const REVERT_ENTITY_MAX_BYTES = 16 * MB
/** How often all changes are gone through, as long as something still stands against some of them. */
export const REVERT_MAX_PASSES = 3
/** A dry run looks no further than this among the entities of others that may stand against a step. */
export const REVERT_MAX_HOLDERS = 10_000
/** On the process itself; the issues file has all of them. */
export const REVERT_ISSUES_SHOWN = 100

/** Entities that an export reads at a time, and columns that its CSV may have (N51). */
export const EXPORT_PAGE_ENTITIES = 1000
export const EXPORT_MAX_COLUMNS = 1000

/** What a tool of an agent answers at most, about 20,000 tokens; entries of a page, and entities of one write (N55). */
export const AGENT_ANSWER_MAX_BYTES = 40 * KB
export const AGENT_PAGE_DEFAULT_ENTITIES = 20
export const AGENT_PAGE_MAX_ENTITIES = 100
export const AGENT_WRITE_MAX_ENTITIES = 100
/** How long an agent waits for the check of a load, and how often it is looked at. */
export const AGENT_LOAD_WAIT_MS = 20_000
export const AGENT_LOAD_LOOK_MS = 250

/** What one call for an organization's archive answers, how long one backup may take, and how often it follows new commits (N63). */
export const EXPORT_CALL_MAX_BYTES = 8 * MB
export const EXPORT_KEY_DAYS = 7
export const EXPORT_MAX_PASSES = 1000
/** What one part of an archive may hold; contents come in pieces of an upload's part. */
export const RESTORE_PART_MAX_BYTES = 16 * MB
/** Entities that one call to complete a restore sets going again. */
export const RESTORE_STEP_ENTITIES = 500
/** Into the bucket for backups, where one is bound: when, how much one step takes, and how long they are kept. */
export const BACKUP_HOUR_UTC = 2
export const BACKUP_SEGMENT_BYTES = 16 * MB
export const BACKUP_KEPT_DAYS = 30
/** A restore without a call for this long is given up. */
export const RESTORE_KEPT_DAYS = 7
