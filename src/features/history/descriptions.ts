// What the API document says about the change history besides its contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

export const HISTORY_DESCRIPTIONS: Descriptions = {
  operations: {
    listChanges:
      'To poll, send the `syncKey` of the last answer as `after`: you get each change once, in the order of commits. To query, ' +
      'use `criteria` and `order`.',
  },
  properties: {
    ChangeRecord: {
      id: 'Id of the change record.',
      changeType: 'What was done to the entity.',
      createdOn: 'When the change was committed.',
      createdById: 'Id of the person, key, load or workflow that made the change.',
      version: 'Version of the entity after the change.',
      changes: 'The changed properties.',
      'changes.oldValue': 'Value before the change; absent if there was none.',
      'changes.newValue': 'Value after the change; absent if there is none.',
    },
    ChangePage: {
      results: 'The change records of this page.',
      syncKey: 'Position after this page. Keep it, and send it as `after` to go on.',
    },
  },
}
