// The common fields of every entity, as callers see them.
import * as z from 'zod'

export const commonFields = {
  id: z.string(),
  orgId: z.string(),
  typePath: z.string(),
  name: z.string().nullable(),
  federatedId: z.string().nullable(),
  createdOn: z.iso.datetime(),
  updatedOn: z.iso.datetime(),
  createdById: z.string(),
  updatedById: z.string(),
  version: z.int(),
}
