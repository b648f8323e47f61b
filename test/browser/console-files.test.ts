// Files: dropped, chosen, found, taken out and deleted, as a person would.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { press, settled } from './console.ts'
import { hold } from './held.ts'
import { sharedConsole } from './shared-console.ts'

const service = sharedConsole()

describe('files', () => {
  it('N46 are dropped, found, taken out and deleted', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.open(page, '/console/files')
    const dropped = await page.evaluateHandle(`(() => {
        const held = new DataTransfer()
        held.items.add(new File(['one,two\\n'], 'dropped.csv', { type: 'text/csv' }))
        return held
      })()`)
    await page.dispatchEvent('fieldset.drop', 'drop', { dataTransfer: dropped })
    await page.getByText('Uploaded dropped.csv.').waitFor()
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'Choose files')
    await (await chooser).setFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen') })
    await page.getByText('Uploaded chosen.txt.').waitFor()
    const chosen = page.getByRole('row', { name: /chosen/ })
    await chosen.waitFor()
    await page.getByLabel('Find by name').fill('DROPPED')
    await chosen.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /dropped.csv/ })
    await row.getByText('ready').waitFor()
    const saving = page.waitForEvent('download')
    await row.getByRole('link', { name: 'Download' }).click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toBe('one,two\n')
    await press(page, 'Delete dropped.csv')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('No file has a name with').waitFor()
    const { results } = await service.client.files.list()
    expect(results.map(({ fileName }) => fileName)).not.toContain('dropped.csv')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('N46 are listed by the name that is looked for when an upload that began before ends', async () => {
    const { page, context, complaints } = await service.signedIn()
    await service.client.files.upload({ content: 'kept', fileName: 'kept.txt' })
    await service.open(page, '/console/files')
    const sending = await hold(page, 'POST', /\/files/)
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'Choose files')
    await (await chooser).setFiles({ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') })
    await page.getByLabel('Find by name').fill('kept')
    await expect.poll(() => page.url()).toContain('find=kept')
    sending.release()
    await page.getByText('Uploaded slow.txt.').waitFor()
    await settled(page)
    await page.getByRole('row', { name: /kept.txt/ }).waitFor()
    expect(await page.getByRole('row', { name: /slow.txt/ }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })
})
