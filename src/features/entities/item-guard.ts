// An item with a family is an option, and no family itself (N73): also where an update sends one of the two and the other is stored.
import { fieldsOf } from '../../platform/db/commit/write.ts'
import { type FieldError, invalid } from '../../platform/errors.ts'
import type { Kind } from '../../platform/kind.ts'
import { BOTH, neverBoth } from './item-store.ts'

const FAULT: FieldError = {
  path: '/roles',
  message: 'An item with a family is an option: its roles cannot include family.',
}

const isFamily = (roles: unknown) => Array.isArray(roles) && roles.includes('family')

export const itemRules: NonNullable<Kind['rules']> = ({ itemFamilyId, roles }) =>
  itemFamilyId != null && isFamily(roles) ? [FAULT] : []

export const itemGuard: NonNullable<Kind['guard']> = (orgId, writes) => {
  const halves = writes.flatMap((write, at): [number, string][] => {
    if (write.op !== 'update') return []
    const fields = fieldsOf(write)
    const isHalf =
      (fields.itemFamilyId != null && !('roles' in fields)) || (isFamily(fields.roles) && !('itemFamilyId' in fields))
    return isHalf ? [[at, write.id]] : []
  })
  return {
    after: halves.length ? [neverBoth(orgId, halves)] : [],
    refusal: (text, place) => {
      const index = new RegExp(`${BOTH}(\\d+)`).exec(text)?.[1]
      return index === undefined ? undefined : invalid([{ ...FAULT, path: place(Number(index)) + FAULT.path }])
    },
  }
}
