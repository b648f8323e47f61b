// A new load: five steps on one page, each open until it is right. The preview is made by the code that the service runs.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PreviewProperty, StepsPreview } from '../../../features/loads/preview-shape.ts'
import type { LoaderConfiguration } from '../../typescript/index.ts'
import { HowTo } from '../parts/how-to.tsx'
import { LoadCheck } from '../parts/load-check.tsx'
import { LoadColumns } from '../parts/load-columns.tsx'
import { LoadFile } from '../parts/load-file.tsx'
import { LoadKindStep } from '../parts/load-kind.tsx'
import { LoadRules } from '../parts/load-rules.tsx'
import { Page } from '../parts/page.tsx'
import { to, usePageState } from '../state/address.ts'
import { catalog, optionsOf, propertiesBelow, typeOf } from '../state/catalog.ts'
import { type ChosenFile, lookInto } from '../state/chosen-file.ts'
import type { Candidate } from '../state/column-suggestions.ts'
import { labelOf } from '../state/columns.ts'
import { keep, kept } from '../state/kept.ts'
import { configurationOf, draftOf, kindOfLoad, type LoadDraft, NO_DRAFT } from '../state/load-draft.ts'
import { client, orgSlug } from '../state/session.ts'
import { attempt } from '../state/toasts.ts'
import { useLoad } from '../state/use-load.ts'

/** As the pipeline wants them: defaults filled in. */
function propertiesOf(typePath: string): PreviewProperty[] {
  return (typeOf(typePath)?.properties ?? []).map(property => ({
    slug: property.slug,
    label: property.label ?? property.slug,
    propertyType: property.propertyType,
    options: optionsOf(property),
    level: property.level ?? 'all',
    archived: property.archived ?? false,
    required: property.required ?? false,
  }))
}

function candidatesOf({ loadType }: LoadDraft): Candidate[] {
  const kind = kindOfLoad(loadType)
  const roots = [kind?.entityName ?? 'item', ...(loadType.includes('PROJECT_ITEM') ? ['project-item'] : [])]
  const reserved = (kind?.reserved ?? []).map(slug => ({ slug, label: slug }))
  const described = roots.flatMap(propertiesBelow).map(each => ({ slug: each.slug, label: labelOf(each.slug, each) }))
  const seen = new Set<string>()
  return [...reserved, ...described].filter(({ slug }) => !seen.has(slug) && seen.add(slug))
}

export function NewLoad() {
  const { query } = usePageState()
  const memory = `matches.${orgSlug()}`
  const [remembered] = useState(() => kept<Record<string, string>>(memory, {}))
  const [draft, setDraft] = useState<LoadDraft>(() => {
    const again = query.again && kept<LoaderConfiguration | undefined>(`load.${query.again}`, undefined)
    return again ? draftOf(again) : NO_DRAFT
  })
  const [chosen, setChosen] = useState<ChosenFile | undefined>(undefined)
  const steps = useSteps(chosen, draft)
  const beside = useLoad('assortments and workspaces', async signal => {
    const list = (entityName: string) => client.entities.list({ entityName, queryParams: { limit: 200 }, signal })
    const [assortments, workspaces] = await Promise.all([list('assortment'), list('workspace')])
    return { assortments: assortments.results, workspaces: workspaces.results }
  })
  const change = (changes: Partial<LoadDraft>) => {
    const next = { ...draft, ...changes }
    setDraft(next)
    const matches = Object.entries(next.targets).flatMap(([column, [target]]) => (target ? [[column, target]] : []))
    keep(memory, { ...kept(memory, {}), ...Object.fromEntries(matches) })
  }
  const choose = async (file: File) => {
    const looked = await attempt('The file cannot be read', () => lookInto(file))
    if (looked) setChosen(looked)
  }
  const preview = chosen && 'names' in chosen.preview ? chosen.preview : undefined
  const candidates = candidatesOf(draft)
  const configuration = configurationOf(draft)
  return (
    <Page title="Load a file" crumbs={<a href={to.loads}>Loads</a>}>
      <div class="stack">
        <LoadFile chosen={chosen} choose={file => void choose(file)} />
        <LoadKindStep draft={draft} change={change} />
        {chosen && preview && catalog.value && (
          <>
            <LoadColumns
              {...{ preview, draft, candidates, remembered, change }}
              needed={kindOfLoad(draft.loadType)?.needed ?? 'federatedId'}
            />
            <LoadRules
              {...{ preview, draft, candidates, steps, change }}
              assortments={beside.value?.assortments ?? []}
              workspaces={beside.value?.workspaces ?? []}
            />
            <LoadCheck file={chosen.file} configuration={configuration} />
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
  file: { content: await openAsBlob('${chosen?.file.name ?? 'styles.csv'}'), fileName: '${chosen?.file.name ?? 'styles.csv'}' },
  config: ${JSON.stringify(configuration, null, 2).replaceAll('\n', '\n  ')},
})`,
          command: `load upload-and-load ${chosen?.file.name ?? 'styles.csv'} configuration.yaml`,
        }}
      />
    </Page>
  )
}

/** What the steps make of the first rows; it follows whatever is typed. */
function useSteps(chosen: ChosenFile | undefined, draft: LoadDraft): StepsPreview | undefined {
  const [steps, setSteps] = useState<StepsPreview | undefined>(undefined)
  const configuration = useMemo(() => configurationOf(draft), [draft])
  const types = catalog.value
  useEffect(() => {
    if (!chosen || !('names' in chosen.preview) || !types) return
    let isCurrent = true
    const { preview } = chosen
    void import('#load-preview').then(({ previewSteps }) => {
      if (!isCurrent) return
      const made = configuration.conditionalColumns?.filter(({ toProperty }) => toProperty !== '')
      const plain = JSON.parse(JSON.stringify({ ...configuration, conditionalColumns: made }))
      setSteps(previewSteps(preview, plain, propertiesOf))
    })
    return () => {
      isCurrent = false
    }
  }, [chosen, configuration, types])
  return chosen ? steps : undefined
}
