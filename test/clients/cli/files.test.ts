// `selvedge files`: what is uploaded as what, and that a file can be deleted.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeServer } from '../fake-server.ts'
import { bench } from './command.ts'

describe('files', () => {
  it.each([
    ['shirt.PNG', 'image/png'],
    ['size chart.pdf', 'application/pdf'],
    ['styles.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['styles.csv', 'text/csv'],
    ['items.jsonl', 'application/x-ndjson'],
    ['unknown.abc', 'application/octet-stream'],
  ])('upload sends %s as %s', async (name, contentType) => {
    const server = await fakeServer(({ body }) => ({ status: 200, json: { id: 'f1', size: body.length } }))
    const { folder, command } = await bench(server)
    const file = path.join(folder, name)
    await writeFile(file, 'content')
    expect(await command(['files', 'upload', file])).toMatchObject({ code: 0 })
    expect(server.asked[0]?.json).toMatchObject({ fileName: name, contentType })
  })

  it('delete removes a file and says so', async () => {
    const server = await fakeServer(() => ({ status: 204 }))
    const { command } = await bench(server)
    expect(await command(['files', 'delete', 'f1'])).toMatchObject({ code: 0, stdout: 'The file f1 is deleted.\n' })
    expect(server.asked[0]).toMatchObject({ method: 'DELETE', path: '/api/files/f1' })
  })
})

describe('the help', () => {
  it('shows the commands in groups', async () => {
    const { command } = await bench()
    const { stdout } = await command(['--help'], { terminal: 100 })
    const headings = [
      'Sign in:',
      'Product data:',
      'Files and loads:',
      'History and events:',
      'Workflows:',
      'Deployment:',
    ]
    for (const heading of headings) expect(stdout).toContain(`\n${heading}\n`)
    expect(stdout.indexOf('Product data:')).toBeLessThan(stdout.indexOf('entities'))
  })
})
