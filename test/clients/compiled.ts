// Compiles a program as a user's strict project would, and tells where the compiler complains.
import path from 'node:path'
import ts from 'typescript'

const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  // Ours are checked with the package.
  skipLibCheck: true,
}

export const MODULES = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
} as const

export interface Complaint {
  file: string
  line: number
  message: string
}

export function complaintsOf(files: readonly string[], modules: keyof typeof MODULES): Complaint[] {
  const program = ts.createProgram([...files], { ...STRICT, ...MODULES[modules] })
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => ({
    file: path.basename(file?.fileName ?? ''),
    line: (file?.getLineAndCharacterOfPosition(start).line ?? -1) + 1,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}
