import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findJar, findProgram, hsqldbAvailability, mariadbAvailability } from './availability.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('availability')
})
afterEach(() => {
  vi.unstubAllEnvs()
  removeFolder(folder)
})

describe('availability of programs', () => {
  it('searches the path, then the given folders', () => {
    vi.stubEnv('PATH', join(folder, 'bin'))
    mkdirSync(join(folder, 'sbin'))
    writeFileSync(join(folder, 'sbin/engine'), '')
    chmodSync(join(folder, 'sbin/engine'), 0o755)
    expect(findProgram('engine')).toBeUndefined()
    expect(findProgram('engine', [join(folder, 'sbin')])).toBe(join(folder, 'sbin/engine'))
  })

  it('prefers jars from CADMUS_JARS', () => {
    writeFileSync(join(folder, 'h2.jar'), '')
    vi.stubEnv('CADMUS_JARS', folder)
    expect(findJar('h2')).toBe(join(folder, 'h2.jar'))
  })

  it('advises how to install a missing program', () => {
    vi.stubEnv('PATH', folder)
    expect(mariadbAvailability()).toEqual({
      present: false,
      advice: 'MariaDB is not installed: apt-get install mariadb-server',
    })
    expect(hsqldbAvailability().advice).toMatch(/apt-get install .*libhsqldb-java/)
  })
})
