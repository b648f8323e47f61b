// Configurations of loads as files: stored in the organization for everybody, or on somebody's disk; YAML or JSON.
import type { FileRecord, LoaderConfiguration } from '../../typescript/index.ts'
import { storedFiles } from './chosen-file.ts'
import { shapeFault } from './configuration-shape.ts'
import { configurationIn } from './load-draft.ts'
import { client } from './session.ts'
import { yamlText } from './yaml-text.ts'

const YAML = 'application/yaml'
const YAML_TYPES = [YAML, 'application/x-yaml', 'text/yaml', 'text/x-yaml']

/** Where a name was saved again, the newest counts. */
export async function storedConfigurations(signal: AbortSignal): Promise<FileRecord[]> {
  const files = await storedFiles(YAML_TYPES, signal)
  return files.filter((file, at) => files.findIndex(each => each.fileName === file.fileName) === at)
}

export const storeConfiguration = (name: string, configuration: LoaderConfiguration) =>
  client.files.upload({ content: yamlText(configuration), fileName: `${name}.yaml`, contentType: YAML })

export async function readStored({ id }: FileRecord): Promise<LoaderConfiguration> {
  return parseConfiguration(await (await client.files.download({ id })).text())
}

/** JSON is YAML as well. The parser comes when the first file is opened. */
export async function parseConfiguration(text: string): Promise<LoaderConfiguration> {
  const { parse } = await import('yaml')
  const value: unknown = parse(text)
  const fault = shapeFault(value)
  if (fault !== undefined) throw new Error(fault)
  return configurationIn(value as Record<string, unknown>)
}
