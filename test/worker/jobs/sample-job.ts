// A job of three phases, as small as one can be: it makes an item of each word, counts them, and leaves the count as one more item.
import * as z from 'zod'
import { kindNamed } from '../../../src/kinds.ts'
import type { Write } from '../../../src/platform/db/commit/write.ts'
import { newId } from '../../../src/platform/ids.ts'
import { commitStep } from '../../../src/platform/jobs/commit-step.ts'
import { defineJob, type Lane } from '../../../src/platform/jobs/job.ts'

const State = z.object({
  phase: z.enum(['making', 'counting', 'ending']),
  words: z.array(z.string()),
  made: z.number().default(0),
  outcome: z.enum(['completed', 'cancelled', 'failed']).nullable().default(null),
})

const item = (name: string): Write => ({
  op: 'create',
  kind: kindNamed('item'),
  id: newId(),
  data: { typePath: 'item', name },
})

export const SAMPLE = defineJob<z.output<typeof State>>({
  kind: 'sample',
  state: State,
  phases: {
    async making(context, job) {
      const { words, made } = job.state
      const word = words[made]
      if (word === undefined) return commitStep(context, job, { ...job.state, phase: 'counting' })
      if (word === 'poison') throw new Error('poison')
      return commitStep(context, job, { ...job.state, made: made + 1 }, { writes: [item(word)] })
    },
    counting: (context, job) =>
      commitStep(
        context,
        job,
        { ...job.state, phase: 'ending', outcome: 'completed' },
        { writes: [item(`${job.state.made} words`)] },
      ),
    async ending(context, job) {
      await commitStep(context, job, job.state, { isDone: true, endsIt: true })
      return undefined
    },
  },
  onGiveUp: (context, job) =>
    commitStep(
      context,
      job,
      { ...job.state, phase: 'ending', outcome: 'failed' },
      { writes: [item('failed')], endsIt: true },
    ),
  onCancel: (context, job) =>
    commitStep(context, job, { ...job.state, phase: 'ending', outcome: 'cancelled' }, { endsIt: true }),
})

export const SAMPLES: Lane = { name: 'sample', home: 'organization', jobs: [SAMPLE], mayRun: async () => true }
