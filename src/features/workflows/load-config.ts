// The configuration of a `load` task, checked when the workflow is written (N68): as much of it as is known then. Strings with
// `{…}` get their value in the run, and what a configuration file adds is read when the load starts. Pure.
import { type FieldError, pointerParts } from '../../platform/errors.ts'
import { checkConfiguration } from '../loads/configuration/rules.ts'

type Config = Record<string, unknown>

export function loadConfigFaults(config: Config): FieldError[] {
  const checked = checkConfiguration(config)
  const faults = 'faults' in checked ? checked.faults : []
  return faults.filter(({ path }) => !isOpen(config, pointerParts(path)))
}

/** Whether what stands there is known in the run only. */
function isOpen(config: Config, path: readonly string[]): boolean {
  // Its expressions are about rows of the file: they are what they are.
  if (path[0] === 'conditionalColumns') return false
  let value: unknown = config
  for (const name of path) {
    if (isTemplate(value)) return true
    value = typeof value === 'object' && value !== null ? (value as Config)[name] : undefined
  }
  if (value === undefined) return config.loaderConfigurationId !== undefined
  return holdsTemplate(value)
}

const isTemplate = (value: unknown) => typeof value === 'string' && value.includes('{')

function holdsTemplate(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsTemplate)
  return isTemplate(value)
}
