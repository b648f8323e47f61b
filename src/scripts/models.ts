// `npm run models`: makes the models of the clients from the OpenAPI document (N113). A test fails where they are not what it would make.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pythonModels } from './models/python.ts'
import { documentText } from './reference/document.ts'

const clients = path.resolve(import.meta.dirname, '../clients')
writeFileSync(path.join(clients, 'python/selvedge/models.py'), pythonModels(JSON.parse(await documentText())))
