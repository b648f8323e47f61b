// What the API document says about publishes besides their contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

export const ASSORTMENT_DESCRIPTIONS: Descriptions = {
  operations: {
    listAssortmentPublishes: 'Each publish names what came in, changed and left since the one before.',
    getAssortmentPublish: 'The answer has the counts; the lists themselves are behind its addresses.',
  },
  properties: {
    AssortmentPublish: {
      createdOn: 'When the assortment was published.',
      createdById: 'Id of the person, key, load or workflow that published it.',
      detail: 'What has changed since the publish before.',
      'detail.adds': 'Number of members that came in.',
      'detail.updates': 'Number of members that changed.',
      'detail.deletes': 'Number of members that left.',
      'detail.addsUrl': 'Where to read the members that came in.',
      'detail.updatesUrl': 'Where to read the members that changed.',
      'detail.deletesUrl': 'Where to read the members that left.',
    },
  },
}
