// All durable jobs of the service, by their lanes. What a job does is in its feature; how jobs run is in platform/jobs.
import { BACKUPS } from './features/backup/nightly.ts'
import type { LoadBounds } from './features/loads/checkpoint.ts'
import { loadJob } from './features/loads/job.ts'
import { loadLane } from './features/loads/lane.ts'
import { MOVES } from './features/moves/job.ts'
import { revertJob } from './features/reverts/job.ts'
import type { Lane } from './platform/jobs/job.ts'

/** `bounds`: of how much a step of a load takes on. */
export const lanes = (bounds?: LoadBounds): readonly Lane[] => [
  loadLane([loadJob(bounds), revertJob(bounds)]),
  BACKUPS,
  MOVES,
]

export function laneNamed(name: string): Lane {
  const lane = LANES.find(each => each.name === name)
  if (!lane) throw new Error(`there is no lane "${name}"`)
  return lane
}

export const LANES = lanes()
