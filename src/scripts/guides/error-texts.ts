// The texts of the error pages: cause, remedy and example of each code. Status and title come from the table of the Worker
// (src/platform/http/problem.ts), which carries no more than these.
import type { Code, FieldError } from '../../platform/errors.ts'

export interface ErrorText {
  /** Why the service answers so. */
  cause: string
  /** What the caller does about it. */
  remedy: string
  /** A call and what its answer says. */
  example: { call: string; detail: string; errors?: FieldError[]; headers?: string }
  /** Whether the same call may succeed later without a change. */
  retry: 'no' | 'later'
}

export const ERROR_TEXTS: Record<Code, ErrorText> = {
  invalid_input: {
    cause:
      'The body, a query parameter, an expression or a configuration does not have the expected form. `errors` lists every fault at once; `path` is a JSON Pointer into the body, or `/` and the name of the parameter.',
    remedy:
      'Correct each entry of `errors` and send the request again. Unknown properties and parameters are refused, so check their spelling.',
    example: {
      call: 'POST /api/colors {"name": "Red", "hex": "reddish"}',
      detail: 'The request is not valid.',
      errors: [{ path: '/hex', message: 'Expected six hexadecimal digits, with or without #.' }],
    },
    retry: 'no',
  },
  invalid_json: {
    cause: 'The body is not JSON: a comma too many, a quote that is missing, or no body at all.',
    remedy: 'Let a JSON library write the body. In a shell, put the JSON in single quotes.',
    example: { call: "POST /api/items {'name': 'Shirt'}", detail: 'The body is not valid JSON.' },
    retry: 'no',
  },
  unauthorized: {
    cause:
      'The credential is missing, wrong, expired or revoked, or it belongs to another organization. The answer does not say which, so that nobody can guess keys.',
    remedy:
      'Send `X-Api-Key` and `X-Api-Org`, or `Authorization: Bearer <token>`. Check the slug of the organization. If the key has expired, issue a new one. `GET /api/auth/me` tests a credential.',
    example: { call: 'GET /api/items', detail: 'The credentials are not valid.', headers: 'WWW-Authenticate' },
    retry: 'no',
  },
  forbidden: {
    cause:
      'The credential is valid but may not do this: the role is missing, or the key is limited to other entity types or addresses.',
    remedy: 'Read `detail`: it names what is missing. Ask an admin for the role, or use a key without that limit.',
    example: { call: 'POST /api/invitations', detail: 'This is for admins of the organization.' },
    retry: 'no',
  },
  read_only_key: {
    cause: 'The key has the scope `read`, and the call writes.',
    remedy: 'Use a key with the scope `write`. The scope of a key cannot change: issue another key.',
    example: { call: 'POST /api/items', detail: 'This key may read, but not write.' },
    retry: 'no',
  },
  operator_closed: {
    cause: 'The deployment has no `OPERATOR_KEY`, so the operator API is closed.',
    remedy: 'Set the secret `OPERATOR_KEY` of at least 20 characters and deploy again.',
    example: { call: 'GET /api/operator/orgs', detail: 'The operator API is closed: OPERATOR_KEY is not set.' },
    retry: 'no',
  },
  organization_suspended: {
    cause:
      'The operator has suspended the organization. All its keys, tokens and sessions are refused until it is resumed.',
    remedy: 'Ask the operator of the deployment. The data is unchanged.',
    example: { call: 'GET /api/items', detail: 'The operator has suspended this organization.' },
    retry: 'later',
  },
  not_found: {
    cause:
      'There is nothing under this id or address: it was deleted, it is of another entity type, or it belongs to another organization.',
    remedy:
      'Check the id and the path. List the entities to find the id, for example by `criteria={"federatedId": "LS-1"}`. The change history has the last state of a deleted entity.',
    example: { call: 'GET /api/items/Vn3KqJ8sW2xT0aLb', detail: 'There is no such entity.' },
    retry: 'no',
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method that the header `Allow` lists. Updates are `PUT`; there is no `PATCH`.',
    example: {
      call: 'PATCH /api/items/Vn3KqJ8sW2xT0aLb',
      detail: 'This path takes GET, PUT, DELETE.',
      headers: 'Allow',
    },
    retry: 'no',
  },
  duplicate: {
    cause: 'Another entity of the same type has this `federatedId`, `identifier`, slug or pair of references.',
    remedy:
      'Update the existing entity. To create or update in one call, use `POST /api/{entityName}/batch?upsertBy=federatedId`.',
    example: {
      call: 'POST /api/items {"federatedId": "LS-1"}',
      detail: 'Another entity has this key already.',
      errors: [{ path: '/federatedId', message: 'Another entity has this federatedId.' }],
    },
    retry: 'no',
  },
  in_use: {
    cause: 'Other entities refer to the entity, or a process still needs it.',
    remedy: 'Delete or change the entities that refer to it first. `errors` names their type.',
    example: {
      call: 'DELETE /api/projects/h5YcB0nWv7RtK2qD',
      detail: 'Other entities refer to this one.',
      errors: [{ path: '', message: 'Entities of type project-item refer to it.' }],
    },
    retry: 'no',
  },
  conflict: {
    cause:
      'The call does not fit the present state: a process has ended already, a part is missing, or another call has changed the same thing.',
    remedy: 'Read the present state, decide again, and repeat the call if it still makes sense.',
    example: { call: 'POST /api/loader-processes/Vn3KqJ8sW2xT0aLb/cancel', detail: 'The load has ended already.' },
    retry: 'no',
  },
  quota_exceeded: {
    cause:
      'The organization has as much of something as it may have: entities, bytes of files, types, workflows, runs or loads. `detail` names the quota.',
    remedy: 'Delete what is no longer needed, wait for running loads, or ask the operator to raise the quota.',
    example: { call: 'POST /api/items', detail: 'The organization has reached its quota of 1,000,000 entities.' },
    retry: 'later',
  },
  idempotency_key_reused: {
    cause: 'The same `Idempotency-Key` was sent with another method, path or body within 24 hours.',
    remedy: 'Use a new key for each new request, and the same key only to repeat a request unchanged.',
    example: { call: 'POST /api/items', detail: 'This Idempotency-Key was used for another request.' },
    retry: 'no',
  },
  task_not_awaiting: {
    cause:
      'The task has ended: another callback was accepted, it timed out, or its run was cancelled. The answer holds the recorded outcome.',
    remedy: 'Compare the recorded outcome with yours. A repeat of the same callback is 200, so this one was different.',
    example: {
      call: 'POST /api/external-events/callback {"taskId": "Vn3KqJ8sW2xT0aLb", "status": "FAILURE"}',
      detail: 'The task is complete; it does not wait for this callback.',
    },
    retry: 'no',
  },
  workflow_loop: {
    cause: 'A run of a workflow started another, and so on, too many times in a row: workflows trigger each other.',
    remedy:
      'Give one of the workflows a trigger that its own writes do not fire, or let it write only when a value differs.',
    example: {
      call: 'POST /api/event-workflow-requests',
      detail: 'Workflows trigger each other in a chain of more than 5.',
    },
    retry: 'no',
  },
  sync_key_expired: {
    cause: 'The `syncKey` points to a position in the history that the organization no longer keeps.',
    remedy:
      'Read all entities once more, then poll with the newest `syncKey`. Poll more often than the history is kept.',
    example: {
      call: 'GET /api/change-history?after=…',
      detail: 'The history before this syncKey is no longer kept. Start again without it.',
    },
    retry: 'no',
  },
  precondition_failed: {
    cause:
      'The `ETag` in `If-Match` is not that of the present version: another caller changed the entity after you read it.',
    remedy: 'Read the entity, apply your change to the new version, and send it with the new `ETag`.',
    example: {
      call: 'PUT /api/items/Vn3KqJ8sW2xT0aLb',
      detail: 'The entity has changed since the version that If-Match names.',
    },
    retry: 'no',
  },
  too_large: {
    cause: 'The body, an entity or the answer is larger than the service takes. `detail` names the limit.',
    remedy:
      'Split a batch, ask for smaller pages or fewer relations, and upload large files in parts. See [Limits](/docs/limits).',
    example: { call: 'POST /api/items/batch', detail: 'The body may hold at most 8388608 bytes.' },
    retry: 'no',
  },
  unsupported_media_type: {
    cause: 'The body has another content type than the operation takes, or it is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
    example: { call: 'POST /api/items', detail: 'The body must be JSON with Content-Type: application/json.' },
    retry: 'no',
  },
  range_not_satisfiable: {
    cause: 'The header `Range` starts behind the end of the file.',
    remedy: 'Read the size from `Content-Range`, or leave `Range` out to get the whole file.',
    example: {
      call: 'GET /api/files/Vn3KqJ8sW2xT0aLb/content',
      detail: 'The file has 1204 bytes.',
      headers: 'Content-Range',
    },
    retry: 'no',
  },
  rate_limited: {
    cause: 'The key, or the address for sign-ins, has sent more requests than its rate tier allows.',
    remedy:
      'Wait for the seconds in `Retry-After`, then go on. Use batches and loads for many entities. All clients wait on their own.',
    example: { call: 'GET /api/items', detail: 'Too many requests. Try again in 12 seconds.', headers: 'Retry-After' },
    retry: 'later',
  },
  internal: {
    cause: 'A fault of the service.',
    remedy:
      'Report it with the `requestId`: it finds the fault in the logs. A read may be repeated; repeat a write under the same `Idempotency-Key`.',
    example: {
      call: 'GET /api/items',
      detail: 'Something went wrong on our side. The request id helps us to find it.',
    },
    retry: 'later',
  },
  unavailable: {
    cause:
      'The database, the file store or the organization cannot serve for the moment, for example at the end of a move.',
    remedy:
      'Repeat the call after the seconds in `Retry-After`, a write under the same `Idempotency-Key`. All clients do so on their own.',
    example: { call: 'GET /api/items', detail: 'The store is briefly unavailable. Try again.', headers: 'Retry-After' },
    retry: 'later',
  },
  database_full: {
    cause: 'The database of the organization has reached its maximum size. Nothing was written.',
    remedy: 'Ask the operator to move the organization to another database, or delete data. Reading still works.',
    example: {
      call: 'POST /api/items',
      detail: 'The database of the organization is full. The operator can move it to another.',
    },
    retry: 'later',
  },
}
