// The models of the Python client, made from the OpenAPI document (N113): a TypedDict for each schema that the client answers or takes.

import { PYTHON_IMPORTS, type PythonField, pythonClass, pythonType } from '../../clients/cli/generate/python-class.ts'
import { isRecord } from '../../clients/cli/input.ts'

/** What the client's methods answer and take; what these refer to comes with them. */
const WANTED = [
  'AccessToken',
  'ApiKey',
  'AssortmentPublish',
  'AuditEntry',
  'Backup',
  'Caller',
  'ChangePage',
  'CreatedWebhook',
  'Databases',
  'DeadLetter',
  'Delivery',
  'DeploymentStatus',
  'Endpoint',
  'EntityCount',
  'EventWorkflowProcess',
  'EventWorkflowTask',
  'File',
  'IdentityProvider',
  'Invitation',
  'IssuedApiKey',
  'IssuedInvitation',
  'LoaderConfiguration',
  'LoaderProcess',
  'Member',
  'OpenSession',
  'Organization',
  'OrganizationMove',
  'OrganizationRestore',
  'PasswordReset',
  'PlannedType',
  'PutEndpoint',
  'Quotas',
  'ResolvedType',
  'RestoreChanges',
  'RevertProcess',
  'SealedSecrets',
  'Session',
  'TypeCheck',
  'TypeList',
]

export function pythonModels(document: Record<string, unknown>): string {
  const { components } = document
  const schemas = isRecord(components) && isRecord(components.schemas) ? components.schemas : {}
  const done = new Set<string>()
  const lines: string[] = []

  /** Writes what it refers to first: a class must be defined above its first use. */
  function write(name: string, schema: unknown): void {
    if (done.has(name) || !isRecord(schema)) return
    done.add(name)
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const fields = Object.entries(properties).map(([key, value]): PythonField => {
      for (const found of referencesOf(value)) write(found, schemas[found])
      const nested = (inner: Readonly<Record<string, unknown>>) => {
        const own = `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`
        write(own, inner)
        return own
      }
      const about = isRecord(value) && typeof value.description === 'string' ? value.description : undefined
      return { name: key, type: pythonType(value, nested), isRequired: required.has(key), about }
    })
    const about = typeof schema.description === 'string' ? schema.description : undefined
    lines.push(...pythonClass(name, about, fields))
  }

  for (const name of WANTED) write(name, schemas[name])
  return [
    '# Made by `npm run models` from the OpenAPI document. Do not edit: make it again.',
    '"""What the service answers and takes: dictionaries, exactly as they travel."""',
    '',
    ...PYTHON_IMPORTS,
    ...lines,
    '',
  ].join('\n')
}

/** Every schema of the document that a schema names, at any depth. */
function referencesOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referencesOf)
  if (!isRecord(schema)) return []
  if (typeof schema.$ref === 'string') return [schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
  return Object.values(schema).flatMap(referencesOf)
}
