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

export const commonExample = {
  id: 'Vn3KqJ8sW2xT0aLb',
  orgId: 'c1Rz0uQp7YhM4dXe',
  typePath: 'item',
  name: null,
  federatedId: null,
  createdOn: '2026-03-02T09:30:00.000Z',
  updatedOn: '2026-03-02T09:30:00.000Z',
  createdById: 'b7LwN2kVf5GtS9oA',
  updatedById: 'b7LwN2kVf5GtS9oA',
  version: 1,
}
