// One type: its own properties to edit, those it inherits to see; and the way to delete it.
import { useState } from 'preact/hooks'
import type { EntityType, TypeProperty } from '../../typescript/index.ts'
import { HowTo } from '../components/how-to.tsx'
import { Page } from '../components/page.tsx'
import { Shown } from '../components/shown.tsx'
import { to } from '../state/address.ts'
import { isMissing } from '../state/fault-words.ts'
import { codeText, shellWord } from '../state/quoted.ts'
import { client, me } from '../state/session.ts'
import { useLoad } from '../state/use-load.ts'
import { DeleteType } from './delete-type.tsx'
import { TypeEditor } from './type-editor.tsx'

export function TypePage({ typePath }: { typePath: string }) {
  /** Its path: another type may be shown by then. */
  const [deleting, setDeleting] = useState<string | undefined>(undefined)
  const type = useLoad(typePath, async signal => {
    try {
      return await client.types.get({ typePath, signal })
    } catch (error) {
      // A root that nobody has described yet.
      if (isMissing(error) && !typePath.includes(':')) return undescribed(typePath)
      throw error
    }
  })
  const isStored = type.value?.id !== undefined
  return (
    <Page
      title={type.value?.label ?? typePath}
      crumbs={<a href={to.types}>Types</a>}
      acts={
        isStored &&
        me.value?.scope === 'write' && (
          <button type="button" class="danger" onClick={() => setDeleting(typePath)}>
            Delete
          </button>
        )
      }
    >
      <Shown of={type}>{value => <TypeEditor key={value.version} type={value} saved={type.reload} />}</Shown>
      {deleting === typePath && type.value && <DeleteType type={type.value} close={() => setDeleting(undefined)} />}
      <HowTo
        way={{
          path: `/types/${typePath}`,
          typescript: `const type = await client.types.get({ typePath: ${codeText(typePath)} })`,
          command: `types get ${shellWord(typePath)}`,
        }}
      />
    </Page>
  )
}

const undescribed = (typePath: string) =>
  ({ typePath, label: null, rootTypePath: typePath, properties: [] as TypeProperty[] }) as unknown as EntityType
