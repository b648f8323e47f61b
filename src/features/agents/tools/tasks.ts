// Workflow tasks that wait for a person or a system, and their completion.
import * as z from 'zod'
import { entityEndpoints, ListQuery } from '../../entities/contract.ts'
import { listEntities } from '../../entities/service.ts'
import { Callback, callback } from '../../workflows/contract.ts'
import { TASK } from '../../workflows/kind.ts'
import { callBack } from '../../workflows/task/tasks.ts'
import { cut } from '../answer-text.ts'
import { fittingPage } from '../pages.ts'
import { asQuery, PageKeyText, PageSize, type Tool, tool } from '../tool.ts'
import { shownEntity } from './read.ts'

export const taskTools: Tool[] = [
  tool(
    {
      name: 'waiting_tasks',
      about: 'Workflow tasks that wait for somebody to complete them.',
      writes: false,
      operation: entityEndpoints(TASK).list,
      input: z.strictObject({ limit: PageSize, nextPageKey: PageKeyText }),
    },
    async (context, { limit, nextPageKey }) => {
      const query = asQuery(ListQuery, { criteria: { status: 'awaiting' }, nextPageKey })
      return fittingPage(
        limit,
        most => listEntities(context, TASK, { ...query, limit: most }),
        each => shownEntity(each),
      )
    },
  ),
  tool(
    {
      name: 'complete_task',
      about: 'Ends a waiting task with SUCCESS or FAILURE; its workflow goes on, or fails.',
      writes: true,
      operation: callback,
      input: Callback,
    },
    async (context, input) => {
      const { task } = await callBack(context, input)
      return cut(shownEntity(task))
    },
  ),
]
