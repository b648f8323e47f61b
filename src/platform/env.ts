// Every binding of the Worker, one line of explanation each. wrangler.toml declares them.
// Namespaces are untyped here: the feature that owns an object types it, in one accessor.
import type { SweepMessage, WakeUp } from './wake/wake-up.ts'

export interface Env {
  /** `production`, `staging`, `local` (set by `npm run dev`) or `test`. */
  ENVIRONMENT: 'production' | 'staging' | 'local' | 'test'
  /** Organizations, credentials and where everything is; entities and change records, too. More of these are DATA_01, DATA_02, … (N56). */
  DB: D1Database
  /** Uploaded files and the reports that the service writes. */
  FILES: R2Bucket
  /** Where every organization is saved once a day (N63). Not bound: nowhere. */
  BACKUPS?: R2Bucket
  /** Viewer of the API reference and pages that need no Worker. */
  ASSETS: Fetcher
  /** Wake-ups for loads, and the cron's sweeps: one message is one chunk to go on with. */
  LOAD_QUEUE: Queue<WakeUp | SweepMessage>
  /** Wake-ups for workflow steps and events. */
  STEP_QUEUE: Queue<WakeUp>
  /** Wake-ups for calls to endpoints outside: deliveries, and tasks that call (N86). */
  CALL_QUEUE: Queue<WakeUp>
  /** Receives messages that failed too often. The Worker does not send to it: the binding has Wrangler create the queue. */
  DEAD_LETTERS?: Queue<WakeUp>
  /** Sends a wake-up again when the work behind it has stopped. */
  WATCH: DurableObjectNamespace
  /** One object for each async task: it decides what becomes of the task. */
  TASKS: DurableObjectNamespace
  /** One object for each organization: it keeps the search index up to date. */
  SEARCH: DurableObjectNamespace
  /** Counters for dashboards and alerts (Analytics Engine); none: nothing is counted. */
  ANALYTICS?: AnalyticsEngineDataset
  /** Where the operator has fixed addresses that outbound calls leave from. */
  EGRESS?: Fetcher
  /** Base address of the API (https://…/api) in links, callbacks and webhooks; else the one that the caller, or the operator, wrote. */
  PUBLIC_URL?: string
  /** Hosts of the service's own zone that outbound calls may go to, separated by commas or spaces (N84). */
  OWN_ZONE_HOSTS?: string
  /** Hashes passwords, one at a time. */
  HASHING: DurableObjectNamespace
  /** 600 requests a minute for each key. */
  RATE_STANDARD: RateLimit
  /** 6,000 requests a minute for each key. */
  RATE_HIGH: RateLimit
  /** 3,000 requests a minute for all standard keys of an organization. */
  RATE_STANDARD_ORG: RateLimit
  /** 30,000 requests a minute for all its high keys. */
  RATE_HIGH_ORG: RateLimit
  /** 60 requests a minute for each address: sign-ins, wrong keys, inbound webhooks. */
  RATE_ADDRESS: RateLimit
  /** The secret of the deployment's owner. Not set: the operator API is closed. */
  OPERATOR_KEY?: string
  /** Keys of further operators, as `name=key`, several apart by spaces; the audit trail names them. */
  OPERATOR_KEYS?: string
  /** Set to anything: credentials are looked up at the primary, never at a replica, so that a revocation reaches everybody within ten seconds (N59). */
  STRICT_CREDENTIALS?: string
  /** Encrypts the secrets that must be recovered (AES-GCM). */
  SECRETS_KEY?: string
  /** The keys before it, apart by spaces, until everything is sealed under the one in force. */
  SECRETS_KEYS_OLD?: string
}

/** A namespace as its owner knows it: the class of its objects is the owner's. */
export function namespaceOf<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace,
): DurableObjectNamespace<T> {
  return namespace as DurableObjectNamespace<T>
}
