// `npm run test:python` (N112): makes an environment of its own, installs the client from its built wheel, checks its types and style,
// and runs its tests against a service that is started for them. Arguments go on to pytest.

import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startService } from '../clients/service/start.ts'

const root = path.resolve(import.meta.dirname, '../..')
const client = path.join(root, 'src/clients/python')
const folder = path.join(root, 'node_modules/.cache/selvedge/python')
const python = path.join(folder, 'venv/bin/python')

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const child = spawn(command, args, { cwd: client, env: { ...process.env, ...env }, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`${path.basename(command)} ${args.join(' ')} ended with ${code}`)),
    )
  })
}

/** The tools, once for each version of the list of them. */
async function installTools(): Promise<void> {
  const wanted = readFileSync(path.join(client, 'pyproject.toml'), 'utf8')
  const installed = path.join(folder, 'pyproject.toml')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await run('python3', ['-m', 'venv', path.join(folder, 'venv')])
  await run(python, ['-m', 'pip', 'install', '--quiet', '.[dev]'])
  writeFileSync(installed, wanted)
}

/** As a user gets it: the wheel is built, and installed without a look at the sources. */
async function installWheel(): Promise<void> {
  const wheels = path.join(folder, 'wheels')
  rmSync(wheels, { recursive: true, force: true })
  await run(python, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', wheels])
  await run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--force-reinstall',
    ...globSync(`${wheels}/*.whl`),
  ])
}

await installTools()
await installWheel()
await run(python, ['-m', 'ruff', 'check', '.'])
await run(python, ['-m', 'ruff', 'format', '--check', '.'])
await run(python, ['make_sync.py', '--check'])
await run(python, ['-m', 'mypy'])
await run(python, ['-m', 'pyright', '--pythonpath', python])

const service = await startService()
try {
  await run(python, ['-P', '-m', 'pytest', '--import-mode=importlib', ...process.argv.slice(2)], {
    BASE_URL: service.key.baseUrl,
    ORG_SLUG: service.key.orgSlug,
    API_KEY: service.key.apiKey,
    ADMIN_EMAIL: service.admin.email,
    ADMIN_PASSWORD: service.admin.password,
    OPERATOR_KEY: service.operator.operatorKey,
  })
} finally {
  await service.stop()
}
