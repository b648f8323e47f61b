// The configuration of a load: begun from a stored one, shown as YAML, and kept for all or as a file.

import { useRef, useState } from 'preact/hooks'
import type { FileRecord, LoaderConfiguration } from '../../typescript/index.ts'
import { Copy } from '../components/copy.tsx'
import { Field, TextField, textOf } from '../components/field.tsx'
import { ErrorPanel } from '../components/shown.tsx'
import {
  parseConfiguration,
  readStored,
  storeConfiguration,
  storedConfigurations,
} from '../state/configuration-file.ts'
import { saveText } from '../state/downloads.ts'
import { attempt, tell } from '../state/toasts.ts'
import { useForm } from '../state/use-form.ts'
import { useLoad } from '../state/use-load.ts'
import { useTurns } from '../state/use-turns.ts'
import { yamlText } from '../state/yaml-text.ts'

export function BeginWith({ use }: { use(configuration: LoaderConfiguration): void }) {
  const stored = useLoad('stored configurations', storedConfigurations)
  const input = useRef<HTMLInputElement>(null)
  const turn = useTurns()
  const begin = async (name: string, read: () => Promise<LoaderConfiguration>) => {
    const isLast = turn()
    const configuration = await attempt('The configuration cannot be used', read)
    if (!configuration || !isLast()) return
    use(configuration)
    tell(`Everything below is as ${name} says.`)
  }
  const choose = (file: FileRecord | undefined) => {
    if (file) void begin(file.fileName, () => readStored(file))
  }
  const open = (file: File | undefined) => {
    if (file) void begin(file.name, async () => parseConfiguration(await file.text()))
  }
  return (
    <>
      <div class="line">
        <Field label="Begin with a stored configuration">
          {field => (
            <select
              {...field}
              value=""
              onChange={event => {
                choose(stored.value?.find(({ id }) => id === textOf(event)))
                event.currentTarget.value = ''
              }}
            >
              <option value="">{stored.value?.length === 0 ? 'None is stored yet' : 'Choose …'}</option>
              {stored.value?.map(({ id, fileName }) => (
                <option key={id} value={id}>
                  {fileName}
                </option>
              ))}
            </select>
          )}
        </Field>
        <button type="button" class="link" onClick={() => input.current?.click()}>
          or open a YAML or JSON file
        </button>
        <input
          ref={input}
          class="hidden"
          type="file"
          accept=".yaml,.yml,.json"
          aria-label="Configuration file"
          tabIndex={-1}
          onChange={event => {
            open(event.currentTarget.files?.[0])
            // The same file again is a change as well.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {stored.error !== undefined && <ErrorPanel error={stored.error} again={() => void stored.reload()} />}
    </>
  )
}

export function KeepConfiguration({ configuration }: { configuration: LoaderConfiguration }) {
  const [name, setName] = useState<string | undefined>(undefined)
  const shown = name ?? configuration.name ?? ''
  const text = yamlText(configuration)
  const { isBusy, onSubmit } = useForm(async () => {
    const saved = await attempt('The configuration was not saved', () => storeConfiguration(shown, configuration))
    if (saved) tell(`Saved ${saved.fileName} for everybody. Begin a load with it, or name it by its id ${saved.id}.`)
  })
  return (
    <details>
      <summary>The configuration, to keep and to use again</summary>
      <div class="stack">
        <form class="line" onSubmit={onSubmit}>
          <TextField label="Save it for everybody as" required value={shown} set={setName} />
          <button type="submit" disabled={isBusy}>
            Save for all
          </button>
          <button
            type="button"
            onClick={() => saveText(`${shown === '' ? 'load' : shown}.yaml`, text, 'application/yaml')}
          >
            Save as a file
          </button>
          <Copy text={text} what="the configuration" />
        </form>
        <pre class="code">{text}</pre>
      </div>
    </details>
  )
}
