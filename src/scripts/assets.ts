// Lays out the static assets of the Worker: the viewer of the API reference, and the guides.
import path from 'node:path'
import { layOutGuides } from './guides/lay-out.ts'
import { layOutReference } from './reference/lay-out.ts'

const assets = path.resolve(import.meta.dirname, '../../dist/assets')

layOutReference(assets)
layOutGuides(assets)
