// The parameters of every list that pages (N16).
import * as z from 'zod'
import { components, named } from '../http/components.ts'
import { PAGE_DEFAULT_ENTITIES, PAGE_MAX_ENTITIES } from '../limits.ts'

export const Limit = z
  .string()
  .regex(/^\d{1,6}$/, `Expected a whole number from 1 to ${PAGE_MAX_ENTITIES}.`)
  .transform(Number)
  .pipe(z.int().min(1).max(PAGE_MAX_ENTITIES))
  .default(PAGE_DEFAULT_ENTITIES)
  .meta({ type: 'integer', minimum: 1, maximum: PAGE_MAX_ENTITIES })
  .describe(`Entities a page, 1 to ${PAGE_MAX_ENTITIES}; ${PAGE_DEFAULT_ENTITIES} where it is not sent.`)

export const PageKey = z.string().max(4096).optional().describe('The `nextPageKey` of the page before.')

export const PageQuery = z.strictObject({ limit: Limit, nextPageKey: PageKey })

const pages = new WeakMap<z.ZodType, z.ZodType>()

/** A page of a shape that has a name. */
export function pageOf(item: z.ZodType): z.ZodType {
  const known = pages.get(item)
  if (known) return known
  const page = z.object({ results: z.array(item), nextPageKey: z.string().nullable() })
  pages.set(item, page)
  return named(`${components.get(item)?.id}Page`, page)
}
