import { describe, expect, it } from 'vitest'
import { foreignLicences, type Lock, lockProblems } from './lock.ts'
import { readLock } from './static-checks.ts'

const lock: Lock = {
  packages: {
    '': { devDependencies: { tool: '1' } },
    'packages/model': { dependencies: { zod: '4' } },
    'node_modules/@cadmus/model': { resolved: 'packages/model', link: true },
    'node_modules/zod': { license: 'MIT', optionalDependencies: { '@zod/linux-x64': '4' } },
    'node_modules/@zod/linux-x64': { license: '(GPL-3.0 OR MIT)' },
    'node_modules/tool': { license: 'MPL-2.0', optionalDependencies: { '@tool/win32': '1' } },
    'node_modules/tool/node_modules/@tool/win32': { license: 'MIT' },
  },
}

describe('package-lock.json', () => {
  it('lists every optional platform package and contains no registry address', () => {
    expect(lockProblems(readLock())).toEqual([])
  })

  it('contains only allowed licences', () => {
    expect(foreignLicences(readLock())).toEqual([])
    expect(Object.keys(readLock().packages).length).toBeGreaterThan(100)
  })
})

describe('the check of a lock', () => {
  it('accepts platform packages beside their owner or above it', () => {
    expect(lockProblems(lock)).toEqual([])
    expect(foreignLicences(lock)).toEqual([])
  })

  it('reports a missing platform package', () => {
    const { 'node_modules/@zod/linux-x64': _gone, ...packages } = lock.packages
    expect(lockProblems({ packages })).toEqual([
      'node_modules/zod may need @zod/linux-x64, which package-lock.json does not list.',
    ])
  })

  it('reports the address of a registry', () => {
    const packages = { ...lock.packages, 'node_modules/x': { license: 'MIT', resolved: 'https://example.org/x.tgz' } }
    expect(lockProblems({ packages })).toEqual(['node_modules/x names a registry: https://example.org/x.tgz.'])
  })

  it('rejects development licences in the product, and copyleft everywhere', () => {
    const weak = { ...lock.packages, 'node_modules/zod': { license: 'MPL-2.0' } }
    expect(foreignLicences({ packages: weak })).toEqual(['node_modules/zod is under MPL-2.0.'])
    const strong = { ...lock.packages, 'node_modules/tool': { license: 'MIT AND AGPL-3.0' }, 'node_modules/none': {} }
    expect(foreignLicences({ packages: strong })).toHaveLength(2)
  })
})
