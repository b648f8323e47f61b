// The Model Context Protocol on the wire (N55): one address that takes one message at a time and keeps no session.
import * as z from 'zod'
import { named } from '../../platform/http/components.ts'
import type { Operation } from '../../platform/http/operation.ts'

const MessageId = z.union([z.string().max(256), z.number()])

export const Message = named(
  'McpMessage',
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    id: MessageId.optional().describe('None: a notification.'),
    method: z.string().max(128).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
)
export type Message = z.output<typeof Message>

const Failure = z.looseObject({ code: z.number(), message: z.string() })

export const McpAnswer = named(
  'McpAnswer',
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    id: MessageId.nullish(),
    result: z.looseObject({}).optional(),
    error: Failure.optional(),
  }),
  { jsonrpc: '2.0', id: 1, result: { tools: [] } },
)

export const mcp = {
  id: 'mcp',
  method: 'POST',
  path: '/mcp',
  tag: 'agents',
  summary: 'The tools of agents, by the Model Context Protocol',
  description:
    'Streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25: one message a request, answered as JSON. What a tool refuses is ' +
    'told in its result; what the protocol refuses is a JSON-RPC error.',
  access: 'organization',
  // Each tool asks for what the operation behind it asks for.
  writes: false,
  forLimitedKeys: true,
  body: Message,
  answer: McpAnswer,
  status: 200,
  alsoEmpty: { 202: 'A notification; there is nothing to answer.' },
  otherFaults: { 400: McpAnswer, 404: McpAnswer },
} as const satisfies Operation
