// Runs before `npm start` and `npm test`, also with only npm and an older Node: plain JavaScript for Node 20, built-in
// modules only. Installs the dependencies if the lock changed since the last install, and fails if the scripts would
// run on a Node below 24.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 24
const OLDEST = [20, 19]

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.cadmus-installed')
const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

refuseOldNode()
if (!isInstalled()) install()
refuseOldScripts()

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  fail(`Cadmus needs Node ${OLDEST.join('.')} or newer on the path; found ${process.versions.node}.`)
}

function isInstalled() {
  if (!existsSync(pinned)) return false
  return (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()) || isInstalledByHand()
}

/** npm writes its own lock at the end of every install, so a plain `npm install` is recognized. */
function isInstalledByHand() {
  const written = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(written)) return false
  const installed = JSON.parse(readFileSync(written, 'utf8')).packages
  const named = Object.entries(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)
  const missing = named.some(
    ([path, entry]) =>
      path.startsWith('node_modules/') &&
      !entry.optional &&
      !entry.devOptional &&
      installed[path]?.version !== entry.version,
  )
  if (!missing) writeFileSync(stamp, lockHash())
  return !missing
}

function lockHash() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(lock).digest('hex')
}

function install() {
  console.log('Installing the dependencies in package-lock.json, once for each change of the file.')
  // Older Nodes make npm warn about newer dependencies, which run on the pinned Node; only errors are shown.
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options)
  if (result.status !== 0) fail('`npm ci` failed (see above). Nothing was started.')
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, lockHash())
}

/** The pinned Node comes from the npm package `node`, whose install script may be disabled by npm settings. */
function refuseOldScripts() {
  const answer = spawnSync(pinned, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' })
  const version = (answer.stdout ?? '').trim()
  if (Number(version.replace(/^v(\d+).*/, '$1')) >= NEEDED_MAJOR) return
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR && version === '') return
  fail(
    `Cadmus runs on Node ${NEEDED_MAJOR}, which its dependency "node" brings along, but ${pinned} ` +
      `${version === '' ? 'does not start' : `is ${version}`}. Run \`npm rebuild node\`, or put Node ${NEEDED_MAJOR} on the path.`,
  )
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
