// Keys that are limited to some entity types and to some addresses. Pure.
import type { Principal } from './context.ts'
import { Fault } from './errors.ts'
import type { Operation } from './http/operation.ts'
import { isWithin, parseAddress, parseBlock } from './ip-address.ts'

export const isAddressBlock = (text: string) => parseBlock(text) !== undefined

export function checkAddress({ addresses }: Principal, text: string): void {
  if (!addresses) return
  const address = parseAddress(text)
  const isAllowed = addresses.map(parseBlock).some(block => block && address !== undefined && isWithin(address, block))
  if (!isAllowed) throw new Fault('forbidden', 'This key may not be used from this address.')
}

export function checkEntityType({ entityType, forLimitedKeys }: Operation, { entityTypes }: Principal): void {
  if (!entityTypes || forLimitedKeys || (entityType !== undefined && entityTypes.includes(entityType))) return
  throw limitedKey(entityTypes)
}

/** What a key writes may reach no further than the key itself. */
export function checkReach(principal: Principal | undefined, reached: readonly (string | null)[]): void {
  const limits = principal?.entityTypes
  if (limits && !reached.every(name => name !== null && limits.includes(name))) throw limitedKey(limits)
}

export function limitedKey(entityTypes: readonly string[]): Fault {
  return new Fault('forbidden', `This key is limited to the entity types ${entityTypes.join(', ')}.`)
}
