// Types of your own organization for every call, without casts (N54). `selvedge types generate` writes a file that adds
// `entities` to `Registered`; without such a file every call takes and gives what any organization might have.

import type { Criterion, CriterionValue, ListParams, Operators, Order, OrderField } from './entity.ts'

/** Once in a program: `declare module 'selvedge/client' { interface Registered { entities: { item: { read, create, update, indexed }, … } } }`. */
export interface Registered {
  readonly client: 'selvedge'
}

/** By entity name; `undefined` where nothing is registered. */
export type RegisteredEntities = Registered extends { entities: infer E } ? E : undefined

/** `Any` where nothing is registered. */
export type NameOr<Any> = RegisteredEntities extends undefined ? Any : keyof RegisteredEntities & string

export type ReadOf<E, N extends keyof E> = E[N] extends { read: infer T } ? T : never
export type CreateOf<E, N extends keyof E> = E[N] extends { create: infer T } ? T : never
export type UpdateOf<E, N extends keyof E> = E[N] extends { update: infer T } ? T : never

export type IndexedOf<E, N extends keyof E> = E[N] extends { indexed: infer T extends string } ? T : never

type KeyOf<U> = U extends unknown ? keyof U & string : never
type ValueOf<U, K extends string> = U extends unknown ? (K extends keyof U ? NonNullable<U[K]> : never) : never

/** A list is found by what it holds. */
type Sought<V> = V extends readonly (infer Each)[] ? Each : V
type Bound<V> = V extends number ? number : V extends string ? string : never

interface OperatorsOf<V>
  extends Omit<Operators, 'eq' | 'not' | 'in' | 'notIn' | 'gt' | 'gte' | 'lt' | 'lte' | 'between'> {
  eq?: V | null | undefined
  not?: V | null | undefined
  in?: readonly V[] | undefined
  notIn?: readonly V[] | undefined
  gt?: Bound<V> | undefined
  gte?: Bound<V> | undefined
  lt?: Bound<V> | undefined
  lte?: Bound<V> | undefined
  between?: readonly [Bound<V>, Bound<V>] | undefined
}

type Range = `BETWEEN ${string}`

/** What a property of values V can be asked for. */
export type CriterionOf<V> = [V] extends [CriterionValue] ? V | Range | null | readonly V[] | OperatorsOf<V> : Criterion

type PropertyCriteriaOf<U> = { readonly [K in KeyOf<U>]?: CriterionOf<Sought<ValueOf<U, K>>> | undefined }

/** All must hold; of a list under `or`, one. */
export type CriteriaOf<U> = PropertyCriteriaOf<U> & { readonly or?: readonly PropertyCriteriaOf<U>[] | undefined }

/** `Indexed`: properties that have an index of their own. */
export interface ListParamsOf<U, Indexed extends string> extends Omit<ListParams, 'criteria' | 'order'> {
  criteria?: CriteriaOf<U> | undefined
  order?: Order<OrderField | Indexed> | undefined
}
