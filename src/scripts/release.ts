// `npm run release -- 0.2.0`: writes the version wherever it stands, closes the section of the changelog, builds what is published and
// looks into it. `--dry-run` writes nothing. What leaves this machine is printed as commands, for a person to type.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './deploy/cloudflare.ts'
import { SCHEMA_FILE, VERSION } from './deploy/release.ts'
import { flagsOf, refuse } from './flags.ts'
import { PLACES, rankOf, releasedChangelog, versionsIn, withVersion } from './release/places.ts'

const CHANGELOG = '.github/CHANGELOG.md'
const JAVA = 'src/clients/java'
/** What may be published: code, declarations, manifests. */
const PACKAGE_FILE =
  /^package\/((esm|cjs)\/[\w-]+\.(js|d\.ts)|cjs\/package\.json|client\/package\.json|cli\.js|package\.json|README\.md|LICENSE)$/
const JAR_FILE = /^(META-INF\/.*|io\/.*\/|io\/.*\.class|[a-z]+\/)$/

const { values: flags, positionals } = flagsOf({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const isDry = flags['dry-run']
const [next = VERSION, ...strays] = positionals
if (strays.length > 0) refuse(`A release has one version; ${strays.join(', ')} is too much. Nothing was done.`)
const inTree = (file: string) => path.join(root, file)
const written: string[] = []
const read = (file: string) => readFileSync(inTree(file), 'utf8')
const say = (text: string) => console.log(text)

function write(file: string, text: string): void {
  say(`${isDry ? 'would write' : 'wrote'} ${file}`)
  if (isDry) return
  written.push(file)
  writeFileSync(inTree(file), text)
}

function setVersion(): void {
  for (const place of PLACES) {
    const text = read(place.file)
    const found = versionsIn(place, text)
    if (found.length === 0) throw new Error(`${place.file} names no version behind ${JSON.stringify(place.before)}`)
    if (found.some(version => version !== next)) write(place.file, withVersion(place, text, next))
  }
  if (next === VERSION) return
  const day = new Date().toISOString().slice(0, 10)
  write(CHANGELOG, releasedChangelog(read(CHANGELOG), next, day, SCHEMA_FILE))
}

function strangersIn(names: readonly string[], allowed: RegExp, what: string): void {
  const strangers = names.filter(name => !allowed.test(name))
  if (strangers.length > 0) throw new Error(`${what} holds what should not be published: ${strangers.join(', ')}`)
  say(`${what}: ${names.length} files, nothing else`)
}

function checkPackage(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'selvedge-release-'))
  try {
    execFileSync('npm', ['run', '--silent', 'package', '--', '--silent', '--pack-destination', folder], { cwd: root })
    const [tarball = ''] = readdirSync(folder)
    const names = execFileSync('tar', ['-tzf', path.join(folder, tarball)], { encoding: 'utf8' })
    strangersIn(names.split('\n').filter(Boolean), PACKAGE_FILE, 'npm package')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const madeOn = (jar: string) => statSync(inTree(`${JAVA}/target/${jar}`)).mtimeMs

function checkJar(): void {
  if (spawnSync('mvn', ['--version']).status !== 0) {
    say('Java artifact: left out, there is no Maven here')
    return
  }
  execFileSync('mvn', ['-B', '-ntp', '-q', '-f', `${JAVA}/pom.xml`, 'package', '-DskipTests'], {
    cwd: root,
    stdio: 'inherit',
  })
  // Those of earlier versions may lie beside it.
  const [jar = ''] = readdirSync(inTree(`${JAVA}/target`))
    .filter(name => /^selvedge-client-[\d.]+\.jar$/.test(name))
    .sort((a, b) => madeOn(b) - madeOn(a))
  const names = execFileSync('jar', ['tf', inTree(`${JAVA}/target/${jar}`)], { encoding: 'utf8' })
  strangersIn(names.split('\n').filter(Boolean), JAR_FILE, jar)
}

function checkOutset(): void {
  if (rankOf(next) === 0) throw new Error(`${next} is no version: three numbers, such as 0.2.0`)
  if (rankOf(next) < rankOf(VERSION)) throw new Error(`${next} is older than ${VERSION}`)
  if (!isDry && execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '') {
    throw new Error('There are changes that are not committed; a release is made of what is.')
  }
}

/** All was committed before, so that taking back what was written takes back nothing else. */
function wayBack(): string {
  if (written.length === 0) return 'Nothing was written.'
  return `The version was written already. To take that back:\n\n  git restore ${[...new Set(written)].join(' ')}`
}

try {
  checkOutset()
  setVersion()
  checkPackage()
  checkJar()
} catch (error) {
  refuse(`${error instanceof Error ? error.message : error}\n${wayBack()}`)
}
say(`
${isDry ? 'Nothing was written. ' : ''}To release ${next}:

  npm run check && npm run test:deploy && npx node test/upgrade/record.ts ${next}
  git add -A && git commit -m "release ${next}" && git tag v${next} && git push origin HEAD v${next}
  npm run package && npm publish selvedge-${next}.tgz
  mvn -f ${JAVA}/pom.xml deploy -DaltDeploymentRepository=ID::URL    # of your Maven repository; ID: a server in your settings.xml
  npm run deploy -- --env staging && npm run deploy
`)
