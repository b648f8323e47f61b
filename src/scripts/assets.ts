// Lays out the static assets of the Worker: the console, the API reference, and the guides.
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CONSOLE_HEADERS, CONSOLE_REDIRECTS, layOutConsole } from './console/lay-out.ts'
import { GUIDE_HEADERS, GUIDE_REDIRECTS, layOutGuides } from './guides/lay-out.ts'
import { layOutReference } from './reference/lay-out.ts'

/** A service that runs has a folder of its own: it would start again when another command lays the pages out. */
const assets = path.resolve(import.meta.dirname, '../..', process.env.ASSETS_FOLDER ?? 'dist/assets')

// Tests start many services at once, each of which would take them away from the others.
if (process.env.ASSETS_ARE_LAID_OUT) process.exit()

// What an older release has left there would be deployed too.
rmSync(path.join(assets, 'docs'), { recursive: true, force: true })
await layOutReference(assets)
await layOutGuides(assets)
await layOutConsole(assets)
writeFileSync(path.join(assets, '_headers'), `${CONSOLE_HEADERS}\n${GUIDE_HEADERS}`)
writeFileSync(path.join(assets, '_redirects'), `${CONSOLE_REDIRECTS}${GUIDE_REDIRECTS}`)
