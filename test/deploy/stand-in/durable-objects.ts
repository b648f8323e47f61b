// What Cloudflare refuses because of Durable Objects: their classes come and go with a whole deploy, and never by halves.
import type { Metadata, Script, Version } from './account.ts'
import { ApiProblem } from './answer.ts'

/** A version that is only uploaded brings no class. */
export function refuseGradual({ migrations }: Metadata): void {
  if (!migrations) return
  throw new ApiProblem(
    400,
    10_211,
    'Version upload failed. You attempted to upload a version of a Worker that includes a Durable Object migration, but migrations must be fully applied via a non-versioned deployment.',
  )
}

/** The number of the fault is not documented; that it is one, is. */
export function refuseAcrossMigrations(script: Script, version: Version): void {
  if (version.migrationTag === script.migrationTag) return
  throw new ApiProblem(
    400,
    10_021,
    'A Durable Object migration has occurred between the version in the active deployment and the version selected to roll back to.',
  )
}

/** New classes are new, and what has objects is exported. */
export function migrated(script: Script, { migrations }: Metadata, modules: Map<string, string>): void {
  const added = migrations?.steps?.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes) ?? []
  for (const name of added) {
    if (script.classes.has(name)) {
      throw new ApiProblem(
        400,
        10_074,
        `Cannot apply new-sqlite-class migration to class '${name}' that already exists`,
      )
    }
  }
  const exported = [...modules.values()].flatMap(exportsOf)
  for (const name of [...script.classes, ...added]) {
    if (!exported.includes(name)) {
      throw new ApiProblem(
        400,
        10_064,
        `New version of script does not export class '${name}' which is depended on by existing Durable Objects.`,
      )
    }
  }
  for (const name of added) script.classes.add(name)
  if (migrations) script.migrationTag = migrations.new_tag
}

/** Of a bundle: `export{a as WatchObject}`. */
function exportsOf(code: string): string[] {
  const lists = [...code.matchAll(/\bexport\s*\{([^}]*)\}/g)].map(([, list = '']) => list)
  return lists.flatMap(list =>
    list.split(',').map(
      each =>
        each
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    ),
  )
}
