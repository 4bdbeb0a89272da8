import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from './processes.ts'

const LOCK = {
  name: 'clone',
  lockfileVersion: 3,
  requires: true,
  packages: { '': { name: 'clone', version: '1.0.0' } },
}

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'cadmus-clone-'))
  mkdirSync(join(clone, 'scripts'))
  mkdirSync(join(clone, 'bin'))
  copyFileSync(join(ROOT, 'scripts/prepare.js'), join(clone, 'scripts/prepare.js'))
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'clone', version: '1.0.0', type: 'module' }))
  writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(LOCK))
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

/** Runs prepare.js with an npm that installs a Node reporting `version`. */
function prepare(version: string): { status: number | null; output: string } {
  const npm = `#!/bin/sh
echo "npm $*"
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho ${version}\\n' > node_modules/.bin/node
chmod +x node_modules/.bin/node
`
  writeFileSync(join(clone, 'bin/npm'), npm)
  chmodSync(join(clone, 'bin/npm'), 0o755)
  const env = { ...process.env, PATH: `${join(clone, 'bin')}:/usr/bin:/bin` }
  const result = spawnSync(process.execPath, ['scripts/prepare.js'], { cwd: clone, env, encoding: 'utf8' })
  return { status: result.status, output: result.stdout + result.stderr }
}

describe.skipIf(process.platform === 'win32')('before npm start and npm test', () => {
  it('dependencies are installed once', () => {
    const first = prepare('v24.1.0')
    expect(first).toEqual({ status: 0, output: expect.stringContaining('npm ci') })
    expect(existsSync(join(clone, 'node_modules/.cadmus-installed'))).toBe(true)
    expect(prepare('v24.1.0')).toEqual({ status: 0, output: '' })
  })

  it('dependencies are installed again when the lock changed', () => {
    prepare('v24.1.0')
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify({ ...LOCK, version: '2.0.0' }))
    expect(prepare('v24.1.0').output).toContain('npm ci')
  })

  it('an outdated Node is reported', () => {
    const { status, output } = prepare('v20.19.0')
    expect(status).toBe(1)
    expect(output).toContain('Cadmus runs on Node 24')
    expect(output).toContain('is v20.19.0')
  })
})
