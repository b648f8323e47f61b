// The frame of an organization's pages: where they are, the palette over all, and the keys that work everywhere.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ErrorPanel } from '../components/shown.tsx'
import { HOME, to } from '../state/address.ts'
import { askCatalog, catalog, catalogFault, rootByName, titleOf } from '../state/catalog.ts'
import { askCounts, counts, countText, DATA_TYPES } from '../state/counts.ts'
import { askWherePressed } from '../state/first-page.ts'
import { isWriting } from '../state/is-writing.ts'
import { isPaletteOpen } from '../state/palette.ts'
import { client, me, signOut } from '../state/session.ts'
import { nextTheme, theme } from '../state/theme.ts'
import { attempt } from '../state/toasts.ts'
import { takeBackLast } from '../state/undo.ts'
import { useLoad } from '../state/use-load.ts'
import { Layout } from './layout.tsx'
import { Palette } from './palette.tsx'
import { Place } from './place.tsx'

export function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  const ask = () => void askCatalog().then(() => askCounts())
  useEffect(ask, [])
  // Others write as well.
  useEffect(() => {
    if (path === to.home || path === HOME) void askCounts()
  }, [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        isPaletteOpen.value = true
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !event.shiftKey) {
        if (!isWriting(event.target) && takeBackLast()) event.preventDefault()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(askWherePressed, [])
  const bar = (
    <>
      <Place href={to.home} class="">
        Home
      </Place>
      <Place href={to.work} class="">
        Work
      </Place>
      <button type="button" onClick={() => (isPaletteOpen.value = true)}>
        Search
      </button>
    </>
  )
  return (
    <>
      <Layout Side={Side} bar={bar}>
        {catalogFault.value !== undefined && <ErrorPanel error={catalogFault.value} again={ask} />}
        {children}
      </Layout>
      {isPaletteOpen.value && <Palette />}
    </>
  )
}

function Side() {
  const who = me.value
  const [used, rest] = partedTypes()
  return (
    <nav class="side" aria-label="Pages">
      <a class="mark" href={to.home}>
        Selvedge
      </a>
      <p class="org">{who?.org.slug}</p>
      <Place href={to.home}>Home</Place>
      <Place href={to.work}>Work</Place>
      <Place href={to.loads}>Loads</Place>
      <Place href={to.files}>Files</Place>
      <h2>Data</h2>
      {used.map(name => (
        <EntityPlace key={name} name={name} />
      ))}
      {rest.length > 0 && (
        <details>
          <summary>More</summary>
          {rest.map(name => (
            <EntityPlace key={name} name={name} />
          ))}
        </details>
      )}
      <Seasons />
      <h2>Organization</h2>
      <Place href={to.history}>History</Place>
      <Place href={to.types}>Types</Place>
      <Place href={to.settings('keys')}>Settings</Place>
      <a class="place" href="/docs/guides">
        Guides
      </a>
      <div class="end">
        <p class="who" title={who?.user?.email ?? ''}>
          {who?.user?.email ?? who?.credential.kind}
        </p>
        <div class="acts">
          <button type="button" class="link" onClick={nextTheme}>
            Theme: {theme.value}
          </button>
          <button type="button" class="link" onClick={() => void attempt('Signing out failed', signOut)}>
            Sign out
          </button>
        </div>
      </div>
    </nav>
  )
}

const SEASONS_MOST = 6

/** Projects of the API: people think in seasons, the newest first. */
function Seasons() {
  const seasons = useLoad(rootByName('project') && 'seasons', signal =>
    client.entities.list({
      entityName: 'project',
      queryParams: { limit: SEASONS_MOST, order: { orderField: 'createdOn', order: 'desc' } },
      signal,
    }),
  )
  const { results = [] } = seasons.value ?? {}
  if (results.length === 0) return null
  return (
    <>
      <h2>Seasons</h2>
      {results.map(({ id, name, federatedId }) => (
        <Place key={id} href={to.entity('projects', id)}>
          {name ?? federatedId ?? id}
        </Place>
      ))}
    </>
  )
}

/** Types that this organization uses first; the rest under "More". */
function partedTypes(): [used: string[], rest: string[]] {
  if (!catalog.value) return [['item', 'color', 'assortment'], []]
  const isUsed = (name: string) => {
    const count = counts.value.get(name)
    return count === undefined ? name === 'item' : count.count > 0
  }
  const names = DATA_TYPES.filter(name => rootByName(name))
  const used = names.filter(isUsed)
  return used.length === 0
    ? [['item'], names.filter(name => name !== 'item')]
    : [used, names.filter(name => !isUsed(name))]
}

function EntityPlace({ name }: { name: string }) {
  const path = rootByName(name)?.path ?? `${name}s`
  const count = counts.value.get(name)
  return (
    <Place href={to.entities(path)}>
      <span>{titleOf(path)}</span>
      {count && <span class="count">{countText(count)}</span>}
    </Place>
  )
}
