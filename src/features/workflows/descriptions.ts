// What the API document says about workflows besides their contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

const task = {
  name: 'Name of the task, unique in the workflow. Later tasks read its output as `{name.…}`.',
  async: 'Whether the task waits for a callback before the next one starts.',
  timeoutSeconds: 'Seconds that an async task waits for its callback before it fails.',
  action: 'What the task does.',
  config: 'Settings of the action.',
}

export const WORKFLOW_DESCRIPTIONS: Descriptions = {
  operations: {
    createEventWorkflowTask: 'The task belongs to no run. It waits for one callback, as the tasks of a workflow do.',
    requestEventWorkflows: 'Starts every active workflow with this `triggerKey` and answers the runs that began.',
    updateEventWorkflowTask: 'A fetched task can be sent back with another `subtext`; no other field may differ.',
    cancelEventWorkflowProcess: 'Tasks that have ended keep their output. A callback for a cancelled task is 409.',
  },
  properties: {
    EventWorkflow: {
      paths: 'The lists of tasks that run side by side when the trigger fires.',
      'paths.tasks': 'The tasks, in the order in which they run.',
    },
    EntityTask: {
      ...task,
      'config.operation': 'What is done with the entity.',
      'config.entityName': 'Entity type, such as `item`.',
      'config.id': 'Id of the entity; may hold references such as `{newData.id}`.',
      'config.object': 'Fields to write; texts may hold references.',
    },
    ExpressionTask: { ...task, 'config.output': 'The output: an object whose texts are expressions.' },
    HttpTask: {
      ...task,
      'config.path': 'Path below the address of the endpoint.',
      'config.method': 'HTTP method of the call.',
      'config.body': 'Body of the call, sent as JSON; texts may hold references.',
    },
    LoadTask: task,
    WaitTask: task,
    Callback: {
      taskId: 'Id of the task that waits.',
      status: '`SUCCESS` completes the task, `FAILURE` fails it and its run.',
    },
    Task: {
      name: 'Name of the task, for people.',
      async: 'Always `true`: the task waits for a callback.',
      timeoutSeconds: 'Seconds that the task waits for its callback before it fails.',
    },
    EventWorkflowRequest: { event: 'The event that the tasks read, as any JSON object.' },
    EventWorkflowRuns: { results: 'The runs that began.' },
    EventWorkflowProcess: {
      eventWorkflowId: 'Id of the workflow that runs.',
      status: 'State of the run. It ends as `complete`, `failed` or `cancelled`.',
      triggerEvent: 'The event that started the run.',
      taskOutputs: 'Outputs of the tasks so far, by name of the task.',
      depth: 'How many runs led to this one; 1 for a run that no other run started.',
      error: 'Why the run failed.',
      'error.code': 'Reason, for programs.',
      'error.detail': 'Reason, in one sentence.',
    },
    EventWorkflowTask: {
      processId: 'Id of the run; absent for a task of its own.',
      status: 'State of the task; `awaiting` while it waits for a callback.',
      action: 'What the task does, such as `http` or `wait`.',
      async: 'Whether the task waits for a callback.',
      output: 'What the task has put out, including the output of its callback.',
      logs: 'Lines that the task and its callback have logged, each with its time.',
      timeoutSeconds: 'Seconds that the task waits for its callback.',
    },
    Webhook: {
      triggerKey: 'Trigger key of the workflows that it starts: `webhookId:<id>`.',
      triggerUrl: 'Address that starts them. It holds a secret: shown once, then masked.',
    },
    TriggeredRuns: { results: 'The runs that the call has started.', 'results.id': 'Id of the run.' },
  },
}
