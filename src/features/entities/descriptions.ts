// What the API document says about entities besides their contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

const GREEN_TO_BLUE = 'from 0 to 255.'

export const ENTITY_DESCRIPTIONS: Descriptions = {
  properties: {
    Item: {
      roles:
        '`family` for a style that groups options, `option` for one of its options. Empty for an item that is neither.',
      itemFamilyId: 'Id of the family that this option belongs to. Only options have one.',
      optionGroup: 'What the options of the family differ in, such as `Color`.',
      optionName: 'Name of this option within its group, such as `Indigo`.',
    },
    AssortmentItem: { projectItemId: 'Id of the project item whose data counts in this assortment.' },
    ProjectItem: { itemId: 'Id of the item whose data in the project this is.' },
    Assortment: {
      workspaceId: 'Id of the workspace that the assortment belongs to.',
      memberAssortmentIds: 'Ids of the assortments that this composite assortment consists of.',
      summary: 'Counts of its members, renewed by each publish.',
      'summary.itemCount': 'Number of items.',
      'summary.familyCount': 'Number of families.',
      'summary.optionCount': 'Number of options.',
    },
    Color: {
      hex: 'The color as six hexadecimal digits, such as `#27408b`.',
      red: `Red part, ${GREEN_TO_BLUE}`,
      green: `Green part, ${GREEN_TO_BLUE}`,
      blue: `Blue part, ${GREEN_TO_BLUE}`,
    },
    SizeRangeTemplate: { sizes: 'The sizes in their order, such as `["S", "M", "L"]`.' },
    SavedView: {
      entityName: 'Entity type that the view lists, such as `item`.',
      criteria: 'Filter of the view, as the JSON text of `criteria`.',
      order: 'Property and direction to sort by, such as `name.asc`.',
      columns: 'Properties to show, in their order.',
      q: 'Words to search for.',
    },
    FoundEntity: { entityType: 'Entity type of the hit, such as `item`.' },
    EntityCount: { count: 'Number of entities that match.' },
    ItemBatch: { results: 'The entities as written, in the order of the request.' },
  },
}
