// Expressions in definitions (N31, N35): conditionals choose a path, strings in a task's config are filled in. Pure.
import { type Compiled, compileConditional, compileTemplate } from '../../platform/expression/compile/compile.ts'
import type { Scope } from '../../platform/expression/evaluation.ts'
import { pathScope } from '../../platform/expression/scope.ts'
import type { WorkflowPath } from './definition.ts'

const REMEMBERED_MAX = 500

/** Compiled once for all events. */
function remembering(compile: (source: string) => Compiled): (source: string) => Compiled {
  const known = new Map<string, Compiled>()
  return source => {
    const found = known.get(source)
    if (found) return found
    const compiled = compile(source)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(source, compiled)
    return compiled
  }
}

const conditional = remembering(compileConditional)
const template = remembering(source => compileTemplate(source).compiled)

/** What expressions can see of a run. */
export function runScope(event: Record<string, unknown>, taskOutputs: Record<string, unknown>): Scope {
  const { newData = null, oldData = null, propertyDiffs = {} } = event
  return pathScope({ event, newData, oldData, propertyDiffs, taskOutputs })
}

/** The first path whose conditional holds. Throws where one cannot be evaluated. */
export function choosePath(paths: readonly WorkflowPath[], scope: Scope): WorkflowPath | undefined {
  return paths.find(path => path.conditional === undefined || Boolean(conditional(path.conditional).evaluate(scope)))
}

/** Fills in every string, however deep it stands. */
export function filled(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return template(value).evaluate(scope) ?? null
  if (Array.isArray(value)) return value.map(inner => filled(inner, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, scope)]))
}
