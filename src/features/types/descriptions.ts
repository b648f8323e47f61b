// What the API document says about types besides their contract; the Worker does not carry it.
import type { Descriptions } from '../../platform/http/openapi/describe.ts'

export const TYPE_DESCRIPTIONS: Descriptions = {
  operations: {
    getType:
      'The answer holds all properties that entities of this path have: its own and those of the paths above it.',
    createType:
      'Defines properties for a type path. Entities at and below the path are checked against them from then on.',
    deleteType: 'Removes the definitions of this path. Stored values stay, and are no longer checked.',
  },
  properties: {
    Type: {
      typePath: 'The type path that is defined, such as `item:shirt`. It inherits from the paths above it.',
      label: 'Name of the type, for people.',
      properties: 'The properties that this path defines. Those of the paths above it count as well.',
      'indexes.property': 'Slug of the indexed property.',
      'indexes.state': '`filling` while existing entities are being added to the index, then `ready`.',
      'indexes.done': 'Number of entities added so far.',
    },
    ResolvedType: {
      label: 'Name of the type, for people.',
      properties: 'All properties of the path, inherited ones included.',
      'indexes.property': 'Slug of the indexed property.',
      'indexes.state': '`filling` while existing entities are being added to the index, then `ready`.',
      'indexes.done': 'Number of entities added so far.',
    },
    PropertyDefinition: {
      slug: 'Name of the property in entities, such as `season`.',
      label: 'Name of the property, for people.',
      propertyType: 'What its values are. It decides how they are checked and how loads read them.',
      options: 'The values that a `choice` or `multi_select` may have.',
      'options.value': 'The value, as entities store it.',
      'options.label': 'The value, as people read it; loads accept it, too.',
      level:
        'Which items a load gives the value to: `family`, `option`, `all` (the default), or `override` for a family value that an option may replace.',
      archived: 'Whether the property is out of use. Stored values stay readable.',
      required: 'Whether an entity must have a value.',
      inheritedFrom: 'Type path that defines the property; null for one of its own.',
    },
    EntityType: {
      entityType: 'Name of the entity type, such as `item`.',
      path: 'Path of its operations, such as `items`.',
      about: 'What its entities are.',
    },
    TypeList: { results: 'The types that are defined.', entityTypes: 'All entity types of the service.' },
    PlannedType: {
      label: 'Name of the type, for people.',
      properties: 'The properties as they are to be.',
    },
    TypePlan: { types: 'The types as they are to be.' },
    TypeCheck: {
      'examples.id': 'Id of the entity that would not fit.',
      'examples.errors': 'What would not fit.',
      'examples.errors.message': 'What would not fit, in one sentence.',
    },
    JsonSchema: { title: 'Name of the type.' },
  },
}
