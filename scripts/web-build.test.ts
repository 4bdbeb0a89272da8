import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from './web-build.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadmus-hash-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/a.ts'), 'a')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the hash of the sources', () => {
  it('changes when a source is changed, added or renamed', () => {
    const hashes = [hashOf([folder])]
    writeFileSync(join(folder, 'src/a.ts'), 'b')
    hashes.push(hashOf([folder]))
    renameSync(join(folder, 'src/a.ts'), join(folder, 'src/c.ts'))
    hashes.push(hashOf([folder]))
    writeFileSync(join(folder, 'src/d.css'), '')
    hashes.push(hashOf([folder]))
    expect(new Set(hashes).size).toBe(4)
  })

  it('ignores build output and tests', () => {
    const before = hashOf([folder])
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist/a.js'), 'a')
    writeFileSync(join(folder, 'src/a.test.ts'), 'a')
    expect(hashOf([folder])).toBe(before)
  })
})
