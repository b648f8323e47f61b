// The client types the wire again, so that it depends on nothing. Here its types are held against the contracts of the service:
// what the service answers must fit what the client promises, and what the client takes must fit what the service takes. The
// comparisons are made by `npm run types`; those of names and lists also when the tests run.

import { describe, expect, expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../src/clients/typescript/index.ts'
import { ENTITY_NAMES, ORDER_FIELDS } from '../../src/clients/typescript/index.ts'
import type { AssortmentPublish } from '../../src/features/assortments/contract.ts'
import type { AuditEntry } from '../../src/features/audit/contract.ts'
import type { CreateKey, IssuedKey, Key } from '../../src/features/auth/contract.ts'
import { ORDER_FIELDS as SERVED_ORDER_FIELDS } from '../../src/features/entities/criteria.ts'
import type { Operators } from '../../src/features/entities/operators.ts'
import type { File } from '../../src/features/files/contract.ts'
import type { ChangeRecord, HistoryCriteria } from '../../src/features/history/contract.ts'
import type { createInvitation } from '../../src/features/invitations/contract.ts'
import type {
  AssortmentSplit,
  ColumnDefinition,
  Condition,
  Issue,
  LoaderProcess,
  LoaderProcessBody,
} from '../../src/features/loads/contract.ts'
import type { updateUser } from '../../src/features/members/contract.ts'
import type { Move } from '../../src/features/moves/contract.ts'
import type { CreateOrg, Org, UpdateOrg } from '../../src/features/operator/contract.ts'
import type { DeadLetter, DeploymentStatus } from '../../src/features/operator/status-contract.ts'
import type { Delivery, PutEndpoint, ShownEndpoint } from '../../src/features/outbound/contract.ts'
import type { RestoreChangesBody, RevertIssue, RevertProcess } from '../../src/features/reverts/contract.ts'
import type { me, Session } from '../../src/features/sign-in/contract.ts'
import type { getProvider, IdentityProviderBody } from '../../src/features/sso/contract.ts'
import type { EntityType, PropertyDefinition } from '../../src/features/types/contract.ts'
import type { Callback, processFields, taskFields } from '../../src/features/workflows/contract.ts'
import { KIND_NAMES } from '../../src/kinds.ts'

/** What an entity has beside its own fields is the same for all of them. */
type Own<T> = Omit<{ [K in keyof T as string extends K ? never : K]: T[K] }, keyof client.CommonFields>
type Fields<T extends Record<string, z.ZodType>> = z.output<z.ZodObject<T>>
type Frozen<T> = T extends readonly (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
type Taken<T extends z.ZodType> = Frozen<z.input<T>>

describe('the client’s types', () => {
  it('name the entity types and order fields that there are', () => {
    expect([...ENTITY_NAMES].sort()).toEqual([...KIND_NAMES].sort())
    expect(ORDER_FIELDS).toEqual(SERVED_ORDER_FIELDS)
  })

  it('fit what the service answers', () => {
    expectTypeOf<z.output<typeof ChangeRecord>>().toExtend<client.ChangeRecord>()
    expectTypeOf<z.output<typeof Key>>().toExtend<client.ApiKey>()
    expectTypeOf<z.output<typeof IssuedKey>>().toExtend<client.IssuedKey>()
    expectTypeOf<z.output<typeof AuditEntry>>().toExtend<client.AuditEntry>()
    expectTypeOf<z.output<typeof Org>>().toExtend<client.Organization>()
    expectTypeOf<z.output<typeof Move>>().toExtend<client.OrganizationMove>()
    expectTypeOf<z.output<typeof DeploymentStatus>>().toExtend<client.DeploymentStatus>()
    expectTypeOf<z.output<typeof DeadLetter>>().toExtend<client.DeadLetter>()
    expectTypeOf<z.output<typeof Delivery>>().toExtend<client.Delivery>()
    expectTypeOf<z.output<typeof ShownEndpoint>>().toExtend<client.Endpoint>()
    // Without `cookie` it has a token.
    expectTypeOf<z.output<typeof Session>>().toExtend<Omit<client.Session, 'accessToken'>>()
    expectTypeOf<z.output<(typeof me)['answer']>>().toExtend<client.Me>()
    expectTypeOf<z.output<(typeof updateUser)['answer']>>().toExtend<client.Member>()
    expectTypeOf<z.output<(typeof createInvitation)['answer']>>().toExtend<client.Invitation>()
    expectTypeOf<z.output<(typeof getProvider)['answer']>>().toExtend<client.IdentityProvider>()
    expectTypeOf<z.output<typeof EntityType>>().toExtend<client.RootType>()
    expectTypeOf<z.output<typeof PropertyDefinition>>().toExtend<client.TypeProperty>()
    expectTypeOf<z.output<typeof AssortmentPublish>>().toExtend<client.PublishRecord>()
    expectTypeOf<z.output<typeof Issue>>().toExtend<client.LoadIssue>()
    expectTypeOf<z.output<typeof LoaderProcess>>().toExtend<Own<client.LoadProcess>>()
    expectTypeOf<z.output<typeof RevertIssue>>().toExtend<client.RevertIssue>()
    expectTypeOf<z.output<typeof RevertProcess>>().toExtend<Own<client.RevertProcess>>()
    expectTypeOf<z.output<typeof File>>().toExtend<Own<client.FileRecord>>()
    expectTypeOf<Fields<typeof taskFields>>().toExtend<Own<client.WorkflowTask>>()
    expectTypeOf<Fields<typeof processFields>>().toExtend<Own<client.WorkflowProcess>>()
  })

  it('fit what the service takes', () => {
    expectTypeOf<client.NewKey>().toExtend<Taken<typeof CreateKey>>()
    expectTypeOf<client.TaskCallback>().toExtend<
      Omit<Taken<typeof Callback>, 'output'> & { readonly output?: unknown }
    >()
    expectTypeOf<client.NewEndpoint>().toExtend<Taken<typeof PutEndpoint>>()
    expectTypeOf<client.NewIdentityProvider>().toExtend<Taken<typeof IdentityProviderBody>>()
    expectTypeOf<client.OrganizationChange>().toExtend<Taken<typeof UpdateOrg>>()
    expectTypeOf<Omit<client.NewOrganization, 'tier'>>().toExtend<Taken<typeof CreateOrg>>()
    expectTypeOf<Required<client.Operators>>().toExtend<Frozen<Required<Operators>>>()
    expectTypeOf<keyof client.Operators>().toEqualTypeOf<keyof Operators>()
    expectTypeOf<client.ChangeCriteria>().toExtend<Taken<typeof HistoryCriteria>>()
    expectTypeOf<client.ChangesToRestore>().toExtend<z.input<typeof RestoreChangesBody>>()
    expectTypeOf<client.AssortmentSplit>().toExtend<Taken<typeof AssortmentSplit>>()
    expectTypeOf<Omit<client.LoaderConfiguration, 'conditionalColumns'>>().toExtend<Taken<typeof LoaderProcessBody>>()
    expectTypeOf<keyof client.LoaderConfiguration>().toEqualTypeOf<keyof z.input<typeof LoaderProcessBody>>()
    // Values may be any JSON, which the client leaves to the caller.
    expectTypeOf<keyof client.ColumnDefinition>().toEqualTypeOf<keyof z.input<typeof ColumnDefinition>>()
    type ClientCondition = NonNullable<client.ColumnDefinition['conditions']>[number]
    expectTypeOf<keyof ClientCondition>().toEqualTypeOf<keyof z.input<typeof Condition>>()
  })
})
