// The deployment at a glance, and what its queues gave up.

export interface DeploymentStatus {
  status: 'ok' | 'degraded'
  version: string
  environment: string
  schema: { expected: string; applied: string | null }
  missingBindings: string[]
  checks: { name: string; isOk: boolean; ms: number }[]
  organizations: { total: number; suspended: number }
  loads: { waiting: number; oldestStepOn: string | null }
  /** Of the last 24 hours. */
  deliveries: { since: string; delivered: number; pending: number; failed: number }
  deadLetters: { total: number; oldestOn: string | null }
}

/** One of the databases that organizations are spread over. */
export interface DataStore {
  name: string
  state: 'open' | 'filling' | 'unavailable'
  /** Null where it does not answer. */
  bytes: number | null
  organizations: number
  warning: string | null
}

export interface DeadLetter {
  id: string
  /** Slug; null where the organization is gone. */
  organization: string | null
  kind: string
  /** The run or delivery that it is about. */
  subjectId: string | null
  createdOn: string
}

/** How many secrets are sealed under which key: a change of the key is over when one is left. */
export interface SealedSecrets {
  results: { key: string; isInForce: boolean; secrets: number }[]
}
