// What an entity refers to is told by name, wherever it stands.
import { describe, expect, it } from 'vitest'
import type { Console } from './console.ts'

export function namedReferences(service: Console): void {
  describe('references', () => {
    it('N46 are shown by name, one and many, and lead there', async () => {
      const { entities } = service.client
      const properties = [
        { slug: 'twin', label: 'Twin', propertyType: 'object_reference' },
        { slug: 'parts', label: 'Parts', propertyType: 'object_ref_list' },
      ]
      await entities.create({ entityName: 'type', object: { typePath: 'item:referring', properties } })
      const made = async (entityName: string, object: Record<string, unknown>) =>
        (await entities.create({ entityName, object })).id
      const buttons = await made('custom-entity', { name: 'Horn buttons' })
      const lining = await made('item', { name: 'Cupro lining' })
      const id = await made('item', {
        name: 'Coat',
        typePath: 'item:referring',
        twin: lining,
        parts: [buttons, lining],
      })
      const { page, context, complaints } = await service.signedIn()
      // A click in the grid marks a cell, so that only the page of the entity has links.
      const inGrid = `/console/entities/items?criteria=${encodeURIComponent(JSON.stringify({ id: [id] }))}&columns=name,twin,parts`
      for (const [address, links] of [
        [inGrid, 0],
        [`/console/entities/items/${id}`, 2],
      ] as const) {
        await service.open(page, address)
        await page.getByText('Horn buttons, Cupro lining').waitFor()
        expect(await page.getByRole('link', { name: 'Cupro lining' }).count()).toBe(links)
      }
      await page.getByRole('link', { name: 'Horn buttons' }).click()
      await page.getByRole('heading', { name: 'Horn buttons' }).waitFor()
      expect(complaints).toEqual([])
      await context.close()
    })
  })
}
