// What the service does with entities of each type by the same acts as for all others. Some are changed by what they stand for
// alone: a load by loading, a file by uploading. Pure.

/** Neither made, changed nor deleted as entities are; a file has a deletion of its own. */
const READ_ONLY = new Set(['file', 'loader-process', 'revert-process', 'event-workflow-process', 'event-workflow-task'])

export const canBeChanged = (entityName: string) => !READ_ONLY.has(entityName)

/** A webhook has an address that is shown once, where it is made; that is in no history, so that no deleted one returns. */
export const canBeMade = (entityName: string) => canBeChanged(entityName) && entityName !== 'webhook'
