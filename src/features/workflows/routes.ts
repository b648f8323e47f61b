// Workflows, tasks and callbacks over HTTP.
import { chainDepth } from '../../platform/chain.ts'
import { one, versionsIn } from '../../platform/http/etag.ts'
import { type Route, route } from '../../platform/http/operation.ts'
import { cancelProcess } from './cancel-run.ts'
import * as endpoint from './contract.ts'
import { requestWorkflows } from './request.ts'
import { callBack, createTask, setSubtext } from './task/tasks.ts'
import { createWebhook, triggerWebhook } from './webhooks.ts'

export const workflowRoutes: Route[] = [
  route(endpoint.callback, async (context, { body }) => {
    const { task, isKept } = await callBack(context, body)
    return { ...one(task), ...(isKept && { status: 202 }) }
  }),
  route(endpoint.createTask, async (context, { body }) => {
    const task = await createTask(context, body)
    return one(task, { Location: `/api/event-workflow-tasks/${task.id}` })
  }),
  route(endpoint.updateTask, async (context, { params, body, request }) =>
    one(await setSubtext(context, params.id ?? '', body, versionsIn(request))),
  ),
  route(endpoint.requestWorkflows, async (context, { body, request }) => ({
    body: { results: await requestWorkflows(context, body, await chainDepth(context.env, request)) },
  })),
  route(endpoint.cancelProcess, async (context, { params }) => one(await cancelProcess(context, params.id ?? ''))),
  route(endpoint.createWebhook, async (context, { body }) => {
    const webhook = await createWebhook(context, body)
    return one(webhook, { Location: `/api/webhooks/${webhook.id}` })
  }),
  route(endpoint.triggerWebhook, async (context, { params, request }) => ({
    body: { results: await triggerWebhook(context, params.secret ?? '', request) },
  })),
]
