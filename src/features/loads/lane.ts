// Loads and reverts of an organization run one at a time, in the order in which they were begun: each sees what the one before it did.
import type { Env } from '../../platform/env.ts'
import type { JobDefinition, JobState, Lane } from '../../platform/jobs/job.ts'
import { activeOrganization } from '../organizations/service.ts'
import { takeOverLoads } from './store/old-loads.ts'

export const LOAD_LANE = 'load'

export const loadLane = (jobs: readonly JobDefinition<JobState>[]): Lane => ({
  name: LOAD_LANE,
  home: 'organization',
  jobs,
  // Nothing is written in the name of a suspended organization.
  mayRun: async (env: Env, orgId) => (await activeOrganization(env, orgId, Date.now())) !== undefined,
  takeOver: takeOverLoads,
})
