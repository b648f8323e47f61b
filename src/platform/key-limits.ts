// Keys that are limited to some entity types and to some addresses. Pure.
import ipaddr from 'ipaddr.js'
import type { Principal } from './context.ts'
import { Fault } from './errors.ts'
import type { Operation } from './http/operation.ts'

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32` */
export function isAddressBlock(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text)
}

function isWithin(address: string, block: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const one = ipaddr.process(address)
  if (!block.includes('/')) return ipaddr.process(block).toString() === one.toString()
  const [network, bits] = ipaddr.parseCIDR(block)
  return network.kind() === one.kind() && one.match(network, bits)
}

export function checkAddress({ addresses }: Principal, address: string): void {
  if (!addresses || addresses.some(block => isWithin(address, block))) return
  throw new Fault('forbidden', 'This key may not be used from this address.')
}

export function checkEntityType({ entityType, forLimitedKeys }: Operation, { entityTypes }: Principal): void {
  if (!entityTypes || forLimitedKeys || (entityType !== undefined && entityTypes.includes(entityType))) return
  throw limitedKey(entityTypes)
}

export function limitedKey(entityTypes: readonly string[]): Fault {
  return new Fault('forbidden', `This key is limited to the entity types ${entityTypes.join(', ')}.`)
}
