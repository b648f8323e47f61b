// How people get in and what is saved of an organization, as the operator sees it.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ArchiveFile } from '../../src/clients/cli/backup/archive-file.ts'
import { takeAll } from '../../src/clients/cli/backup/take.ts'
import { newOrg } from '../clients/service/start.ts'
import { type Console, press } from './console.ts'

export function operatorBackups(service: Console): void {
  describe('sign-in and backups', () => {
    it('N46 makes a one-time link, shows the trail, and pages through backups or says why there are none', async () => {
      const admin = { email: 'admin@people.example', password: 'correct horse battery' }
      await service.operator.createOrg({ slug: 'people', name: 'People', admin })
      const { page, context } = await service.asOperator()
      await service.open(page, '/console/operator/organizations/people?tab=sign-in')
      await page.getByLabel('Email of the member').fill('nobody@people.example')
      await page.keyboard.press('Enter')
      await page.locator('.field .fault').waitFor()
      await page.getByLabel('Email of the member').fill('admin@people.example')
      await page.keyboard.press('Enter')
      await page.locator('code', { hasText: '/console/password-reset#token=' }).waitFor()
      await page.getByRole('button', { name: 'I have it' }).click()
      await page.getByRole('link', { name: 'Audit' }).last().click()
      await page.getByRole('row', { name: /password reset issued the operator/ }).waitFor()

      await service.open(page, '/console/operator/backups')
      await page.getByText('This deployment keeps no backups').waitFor()
      const backup = (id: string) => ({
        id,
        organizationId: 'AAAAAAAAAAAAAAAA',
        slug: 'people',
        bytes: 1_234_567,
        begunOn: '2026-11-15T02:00:00.000Z',
        completedOn: '2026-11-15T02:00:26.000Z',
      })
      await page.route('**/api/operator/backups?**', route => {
        const isNext = route.request().url().includes('nextPageKey=next')
        const [id, nextPageKey] = isNext ? ['second', null] : ['first', 'next']
        return route.fulfill({ json: { results: [backup(id)], nextPageKey } })
      })
      const begun: string[] = []
      await page.route('**/api/operator/orgs/*/backups', route => {
        begun.push(route.request().method())
        return route.fulfill({ status: 202, json: {} })
      })
      await service.open(page, '/console/operator/backups')
      await page.getByText('1.2 MB').waitFor()
      await page.getByRole('button', { name: 'Show more' }).click()
      await page
        .getByRole('row', { name: /people/ })
        .nth(1)
        .waitFor()
      await page.getByRole('button', { name: 'Back up now' }).focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('Organization').selectOption('people')
      await page.getByRole('button', { name: 'Begin the backup' }).click()
      await page.getByText('people is being saved.').waitFor()
      expect(begun).toEqual(['POST'])
      await context.close()
    })

    it('N46 an archive is checked before anything is sent, and the organization comes back whole', async () => {
      const client = await newOrg(service.service, 'lost')
      await client.entities.create({ entityName: 'item', object: { name: 'Kept' } })
      const folder = await mkdtemp(path.join(tmpdir(), 'archive-'))
      const file = path.join(folder, 'lost.selvedge')
      const about = { slug: 'lost', createdOn: new Date().toISOString(), source: null }
      const archive = await ArchiveFile.open(file, about, undefined)
      const taking = { operator: service.operator, slug: 'lost', archive, secrets: 'without' as const }
      await takeAll({ ...taking, signal: new AbortController().signal, told: () => undefined })
      await archive.finish()
      await service.operator.deleteOrg({ slug: 'lost' })

      const { page, context } = await service.asOperator()
      await service.open(page, '/console/operator/backups')
      await page.getByRole('button', { name: 'Bring back' }).click()
      const bytes = await readFile(file)
      const altered = Buffer.from(bytes)
      altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1
      const given = { name: 'lost.selvedge', mimeType: 'application/octet-stream' }
      await page.getByLabel('Archive').setInputFiles({ ...given, buffer: altered })
      await page.getByRole('button', { name: 'Check the archive' }).click()
      await page.locator('.fault').waitFor()
      await page.getByLabel('Archive').setInputFiles({ ...given, buffer: bytes })
      await page.getByRole('button', { name: 'Check the archive' }).click()
      await page.getByText('Whole: an archive of lost').waitFor()
      // Whoever leaves stops it, and it goes on another time.
      const parts = '**/api/operator/restores/*/parts/*'
      const sending = page.waitForRequest(parts)
      await page.route(parts, () => undefined)
      await press(page, 'Bring back lost')
      const stopped = page.waitForEvent('requestfailed')
      await sending
      await page.keyboard.press('Escape')
      await stopped
      await page.getByText('Stopped. The same archive goes on from there').waitFor()
      await page.unroute(parts)
      await page.getByRole('button', { name: 'Bring back' }).click()
      await page.getByLabel('Archive').setInputFiles({ ...given, buffer: bytes })
      await page.getByRole('button', { name: 'Check the archive' }).click()
      await page.getByText('Whole: an archive of lost').waitFor()
      await press(page, 'Bring back lost')
      await page.getByRole('heading', { name: 'lost is back' }).waitFor()
      await page.getByText('one-time link for a new password: 1').waitFor()
      await page.getByRole('button', { name: 'Open it' }).click()
      await page.getByRole('heading', { level: 1, name: 'lost' }).waitFor()
      const { results } = await client.entities.list({ entityName: 'item' })
      expect(results).toMatchObject([{ name: 'Kept' }])
      await rm(folder, { recursive: true })
      await context.close()
    })
  })
}
