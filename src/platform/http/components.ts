// The one registry of wire shapes that have a name. Such a shape stands once in the API document, under its name, and is
// referred to everywhere else; generated clients call it so.
import * as z from 'zod'

export interface Component {
  id: string
  /** What callers would really send or get; the document shows it. */
  example?: unknown
}

export const components = z.registry<Component>()

/** `project-item` → `ProjectItem` */
export function pascal(text: string): string {
  return text.replaceAll(/(?:^|[-_ ])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function named<T extends z.ZodType>(id: string, schema: T, example?: z.input<T>): T {
  if (components._idmap.has(id)) throw new Error(`two wire shapes are named ${id}`)
  components.add(schema, { id, example })
  return schema
}

/** Any JSON value. Spelled out as what it is it would be a shape that contains itself, which helps no reader. */
export const JsonValue = z.json()
JsonValue._zod.toJSONSchema = () => ({})
