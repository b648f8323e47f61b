// Types of your own organization for every call, without casts (N54). `selvedge types generate` writes a file that adds
// `entities` to `Registered`; without such a file every call takes and gives what any organization might have.

import type { Criterion, CriterionValue, ListParams, Operators, Order, OrderField } from './entity.ts'

export type ReadOf<E, N extends keyof E> = E[N] extends { read: infer T } ? T : never
export type CreateOf<E, N extends keyof E> = E[N] extends { create: infer T } ? T : never
export type UpdateOf<E, N extends keyof E> = E[N] extends { update: infer T } ? T : never

export type IndexedOf<E, N extends keyof E> = E[N] extends { indexed: infer T extends string } ? T : never

/** By relation: the name of the entity that it leads to, or a list of it. */
type RelationsOf<E, N extends keyof E> = E[N] extends { relations: infer T } ? T : never
type TargetOf<E, T> = (T extends readonly (infer Each)[] ? Each : T) & keyof E

/** `item`, `item.itemFamily`: as deep as the service follows. */
export type RelationPath<E, N extends keyof E, Deeper extends readonly unknown[] = [2, 3]> = E[N] extends {
  relations: infer T
}
  ? { [K in keyof T & string]: K | RelationBelow<E, TargetOf<E, T[K]>, K, Deeper> }[keyof T & string]
  : string

type RelationBelow<
  E,
  N extends keyof E,
  K extends string,
  Deeper extends readonly unknown[],
> = Deeper extends readonly [unknown, ...infer Rest] ? `${K}.${RelationPath<E, N, Rest>}` : never

type HeadOf<P> = P extends `${infer Head}.${string}` ? Head : P
type TailOf<P, Head extends string> = P extends `${Head}.${infer Tail}` ? Tail : never

/** What the relations P add to an entity; null where there is none, or it is gone. */
export type RelatedOf<E, N extends keyof E, P extends string> = [P] extends [never]
  ? unknown
  : { [K in HeadOf<P> & keyof RelationsOf<E, N> & string]: RelatedBy<E, RelationsOf<E, N>[K], TailOf<P, K>> }

type RelatedBy<E, T, P extends string> = T extends readonly unknown[]
  ? RelatedOne<E, TargetOf<E, T>, P>[] | null
  : RelatedOne<E, TargetOf<E, T>, P>
type RelatedOne<E, N extends keyof E, P extends string> = (ReadOf<E, N> & RelatedOf<E, N, P>) | null

export interface WithRelations<P> {
  /** Referenced entities to add beside their ids, for example `['item', 'item.itemFamily']`. */
  relations?: P | readonly P[] | undefined
}

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
export interface ListParamsOf<U, Indexed extends string, P = never>
  extends Omit<ListParams, 'criteria' | 'order' | 'relations'>,
    WithRelations<P> {
  criteria?: CriteriaOf<U> | undefined
  order?: Order<OrderField | Indexed> | undefined
}
