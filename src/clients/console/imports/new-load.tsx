// A new load: five steps on one page, each open until it is right. The preview is made by the code that the service runs.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type {
  FilePreview,
  PreviewProperty,
  StepsPreview,
  UnknownOption,
} from '../../../features/loads/preview-shape.ts'
import type { FileRecord, LoadIssue } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { to, usePageState } from '../state/address.ts'
import { catalog, optionsOf, typeOf } from '../state/catalog.ts'
import { rowsWithTexts } from '../state/checked-options.ts'
import { type ChosenFile, lookInto, lookIntoStored } from '../state/chosen-file.ts'
import { keep, kept } from '../state/kept.ts'
import { configurationIn, configurationOf, draftOf, kindOfLoad, type LoadDraft, NO_DRAFT } from '../state/load-draft.ts'
import { candidatesOf, loadProperties } from '../state/load-properties.ts'
import { type OptionMatches, unitedMatches } from '../state/option-matches.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { client, orgSlug } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { useDirty } from '../state/unsaved.ts'
import { useIsHere } from '../state/use-is-here.ts'
import { useLoad } from '../state/use-load.ts'
import { useTurns } from '../state/use-turns.ts'
import { LoadCheck } from './load-check.tsx'
import { LoadColumns } from './load-columns.tsx'
import { LoadFile } from './load-file.tsx'
import { LoadKindStep } from './load-kind.tsx'
import { LoadOptions } from './load-options.tsx'
import { LoadRules } from './load-rules.tsx'

/** As the pipeline wants them: defaults filled in. */
function propertiesOf(typePath: string): PreviewProperty[] {
  return (typeOf(typePath)?.properties ?? []).map(property => ({
    slug: property.slug,
    label: property.label ?? property.slug,
    propertyType: property.propertyType,
    options: property.options ? optionsOf(property) : null,
    level: property.level ?? 'all',
    archived: property.archived ?? false,
    required: property.required ?? false,
  }))
}

export function NewLoad() {
  const memory = `matches.${orgSlug()}`
  const optionMemory = `options.${orgSlug()}`
  const [remembered] = useState(() => kept<Record<string, string>>(memory, {}))
  const [rememberedOptions] = useState(() => kept<OptionMatches>(optionMemory, {}))
  const [draft, setDraft] = useState<LoadDraft>(NO_DRAFT)
  const [chosen, setChosen] = useState<ChosenFile | undefined>(undefined)
  const [choices, setChoices] = useState(0)
  const [isReading, setReading] = useState(false)
  const [converted, setConverted] = useState<number | undefined>(undefined)
  // What somebody has chosen while it was read stays.
  useDraftOfLoad(read => setDraft(before => (before === NO_DRAFT ? read : before)))
  const preview = chosen && 'names' in chosen.preview ? chosen.preview : undefined
  const configuration = useMemo(() => configurationOf(draft, preview?.names), [draft, preview])
  const [issues, setIssues] = useState<readonly LoadIssue[]>([])
  const later = useMemo(() => preview && rowsWithTexts(preview, issues, draft), [preview, issues, draft])
  const steps = useSteps(preview, later, configuration)
  const beside = useLoad('assortments and workspaces', async signal => {
    const list = (entityName: string) => client.entities.list({ entityName, queryParams: { limit: 200 }, signal })
    const [assortments, workspaces] = await Promise.all([list('assortment'), list('workspace')])
    return {
      assortments: assortments.results,
      hasMore: assortments.nextPageKey !== null,
      workspaces: workspaces.results,
    }
  })
  const change = (changes: Partial<LoadDraft>) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    const matches = Object.entries(next.targets).flatMap(([column, [target]]) => (target ? [[column, target]] : []))
    keep(memory, { ...kept(memory, {}), ...Object.fromEntries(matches) })
    keep(optionMemory, unitedMatches(kept(optionMemory, {}), next.options))
  }
  const turn = useTurns()
  const isHere = useIsHere()
  const choose = async (look: (seen: (rows: number) => boolean) => Promise<ChosenFile>) => {
    const isLast = turn()
    const isAwaited = () => isLast() && isHere.current
    const seen = (rows: number) => {
      if (isAwaited()) setConverted(rows)
      return isAwaited()
    }
    setReading(true)
    setConverted(undefined)
    const looked = await attempt('The file cannot be read', () => look(seen))
    if (!isAwaited()) return
    setReading(false)
    setConverted(undefined)
    if (!looked) return
    setChosen(looked)
    setChoices(before => before + 1)
    setIssues([])
  }
  useDirty(chosen !== undefined)
  const properties = loadProperties(draft, preview)
  const candidates = candidatesOf(draft, properties)
  const fileName = chosen?.name ?? 'styles.csv'
  const inCode = codeText(fileName)
  return (
    <Page title="Load a file" crumbs={<a href={to.loads}>Loads</a>}>
      <div class="stack">
        <LoadFile
          {...{ chosen, isReading, converted }}
          choose={(file, part) => void choose(seen => lookInto(file, seen, part))}
          chooseStored={(file: FileRecord) => void choose(() => lookIntoStored(file))}
        />
        <LoadKindStep {...{ draft, change }} columns={preview?.names ?? []} use={stored => setDraft(draftOf(stored))} />
        {chosen && preview && catalog.value && (
          <>
            <LoadColumns
              {...{ preview, draft, candidates, remembered, change }}
              needed={kindOfLoad(draft.loadType)?.needed ?? 'federatedId'}
            >
              <LoadOptions
                {...{ draft, properties, change }}
                unknown={steps?.unknownOptions ?? []}
                remembered={rememberedOptions}
              />
            </LoadColumns>
            <LoadRules {...{ preview, draft, candidates, steps, change }} beside={beside} />
            {!isReading && (
              <LoadCheck
                key={choices}
                file={chosen}
                configuration={configuration}
                checked={process => setIssues(process.issues)}
              />
            )}
          </>
        )}
      </div>
      <HowTo
        way={{
          method: 'POST',
          path: '/loader-processes',
          body: { ...configuration, fileLocation: '<id of the uploaded file>' },
          typescript: `import { openAsBlob } from 'node:fs'

const process = await client.loads.run({
  file: { content: await openAsBlob(${inCode}), fileName: ${inCode} },
  config: ${JSON.stringify(configuration, null, 2).replaceAll('\n', '\n  ')},
})`,
          command: `load upload-and-load ${shellWord(chosen?.sheet?.workbook.name ?? fileName)} configuration.yaml${ofSheet(chosen)}`,
        }}
      />
    </Page>
  )
}

/** The command line asks which one is meant. */
const ofSheet = ({ sheet }: Partial<ChosenFile> = {}) =>
  sheet && sheet.names.length > 1 ? ` --sheet ${shellWord(sheet.name)}` : ''

/** `?again=` names a load whose configuration is used once more. */
function useDraftOfLoad(use: (draft: LoadDraft) => void): void {
  const { query } = usePageState()
  useEffect(() => {
    const { again } = query
    if (!again) return
    void attempt('That load cannot be used again', async () => {
      const { name: _, ...configuration } = configurationIn(await client.loads.get({ id: again }))
      use(draftOf(configuration))
    })
  }, [query.again])
}

/** What the steps make of the first rows; it follows whatever is typed. */
function useSteps(
  preview: FilePreview | undefined,
  /** Rows of which only the texts that are no option count. */
  later: FilePreview | undefined,
  configuration: ReturnType<typeof configurationOf>,
): StepsPreview | undefined {
  const [steps, setSteps] = useState<StepsPreview | undefined>(undefined)
  const types = catalog.value
  useEffect(() => {
    if (!preview || !types) return
    let isCurrent = true
    void import('#load-preview').then(({ previewSteps }) => {
      if (!isCurrent) return
      const conditionalColumns = configuration.conditionalColumns?.filter(({ toProperty }) => toProperty !== '')
      const plain = JSON.parse(JSON.stringify({ ...configuration, conditionalColumns }))
      const made = previewSteps(preview, plain, propertiesOf)
      const more = later ? previewSteps(later, plain, propertiesOf).unknownOptions : []
      const isNew = ({ column, text }: UnknownOption) =>
        !made.unknownOptions.some(known => known.column === column && known.text === text)
      setSteps({ ...made, unknownOptions: [...made.unknownOptions, ...more.filter(isNew)] })
    })
    return () => {
      isCurrent = false
    }
  }, [preview, later, configuration, types])
  return preview ? steps : undefined
}
