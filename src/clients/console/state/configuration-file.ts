// Configurations of loads as files: stored in the organization for everybody, or on somebody's disk; YAML or JSON.
import type { FileRecord, LoaderConfiguration } from '../../typescript/index.ts'
import { storedFiles } from './chosen-file.ts'
import { shapeFault } from './configuration-shape.ts'
import { configurationIn } from './load-draft.ts'
import { client } from './session.ts'
import { yamlText } from './yaml-text.ts'

const YAML = 'application/yaml'
const YAML_TYPES = [YAML, 'application/x-yaml', 'text/yaml', 'text/x-yaml']

const OFFERED = 50

/** Where a name was saved again, the newest counts. */
function newestOfEach(files: readonly FileRecord[]): FileRecord[] {
  const seen = new Set<string>()
  return files.filter(({ fileName }) => !seen.has(fileName) && seen.add(fileName))
}

export const storedConfigurations = async (signal: AbortSignal): Promise<FileRecord[]> =>
  newestOfEach(await storedFiles(YAML_TYPES, signal, files => newestOfEach(files).length >= OFFERED))

export const storeConfiguration = (name: string, configuration: LoaderConfiguration) =>
  client.files.upload({ content: yamlText(configuration), fileName: `${name}.yaml`, contentType: YAML })

export async function readStored({ id }: FileRecord): Promise<LoaderConfiguration> {
  return parseConfiguration(await (await client.files.download({ id })).text())
}

const ALIASES_MAX = 100

/** JSON is YAML as well. The parser, the service's own, comes when the first file is opened. */
export async function parseConfiguration(text: string): Promise<LoaderConfiguration> {
  const { loadAll } = await import('js-yaml')
  const [value, ...others] = loadAll(text, { maxAliases: ALIASES_MAX })
  if (others.length > 0) throw new Error('The file holds several documents; give one.')
  const fault = shapeFault(value)
  if (fault !== undefined) throw new Error(fault)
  return configurationIn(value as Record<string, unknown>)
}
