// The id of another entity, found by its name: what is typed is searched for, what is chosen is told by name below.
import { useEffect, useId, useState } from 'preact/hooks'
import type { Entity } from '../../typescript/index.ts'
import { rememberName } from '../state/references.ts'
import { client } from '../state/session.ts'
import { textOf } from './field.tsx'
import { Reference } from './value.tsx'

const PAUSE_MS = 200
const MOST = 10
const ID = /^[A-Za-z0-9_-]{16}$/

interface ReferenceInputProps {
  /** Of which type it is; undefined: of any. */
  entityName: string | undefined
  text: string
  change(text: string): void
  attributes: Record<string, unknown>
  inputRef?: ((input: HTMLInputElement | null) => void) | undefined
}

export function ReferenceInput({ entityName, text, change, attributes, inputRef }: ReferenceInputProps) {
  const list = useId()
  const [found, setFound] = useState<readonly Entity[]>([])
  const isId = ID.test(text)
  useEffect(() => {
    if (isId) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      lookFor(entityName, text.trim(), controller.signal)
        .then(setFound)
        // The field still takes an id; the service says what is wrong when it is asked for something.
        .catch(() => undefined)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [entityName, text, isId])
  return (
    <>
      <input
        {...attributes}
        ref={inputRef ?? null}
        type="text"
        list={list}
        placeholder="Name or key"
        value={text}
        onInput={event => change(textOf(event))}
      />
      <datalist id={list}>
        {found.map(each => (
          <option key={each.id} value={each.id}>
            {[each.name, each.federatedId].filter(Boolean).join(' · ')}
          </option>
        ))}
      </datalist>
      {isId && entityName && (
        <span class="hint">
          <Reference entityName={entityName} id={text} />
        </span>
      )}
    </>
  )
}

async function lookFor(entityName: string | undefined, q: string, signal: AbortSignal): Promise<readonly Entity[]> {
  if (!entityName) return q === '' ? [] : (await client.entities.search({ q, limit: MOST, signal })).results
  const queryParams = { limit: MOST, ...(/[\p{L}\p{N}]/u.test(q) && { q }) }
  const { results } = await client.entities.list({ entityName, queryParams, signal })
  for (const each of results) rememberName(entityName, each)
  return results
}
