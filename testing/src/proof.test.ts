import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordEngine } from './engine-versions.ts'
import { proofCount, recordProof } from './proof.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('proof')
  vi.stubEnv('CADMUS_PROVE', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  removeFolder(folder)
})

describe('a proof', () => {
  it('is small in npm test and full in npm run prove', () => {
    expect(proofCount('kills', 10, 100)).toBe(10)
    vi.stubEnv('CADMUS_PROVE', '1')
    expect(proofCount('kills', 10, 100)).toBe(100)
    vi.stubEnv('CADMUS_PROVE_KILLS', '3')
    expect(proofCount('kills', 10, 100)).toBe(3)
  })

  it('is recorded by name only in npm run prove, with its engines', () => {
    const file = join(folder, 'proofs.json')
    const record = { name: 'No save is lost', counts: { kills: 100 }, durationMs: 12.4 }
    recordProof(record, file)
    expect(existsSync(file)).toBe(false)
    vi.stubEnv('CADMUS_PROVE', '1')
    recordEngine('HSQLDB', '2')
    recordProof({ ...record, counts: { kills: 1 } }, file)
    recordEngine('PostgreSQL', '15')
    recordProof(record, file)
    const [proof, ...others] = JSON.parse(readFileSync(file, 'utf8'))
    expect(others).toEqual([])
    expect(proof).toMatchObject({
      ...record,
      engines: { PostgreSQL: '15' },
      durationMs: 12,
      seed: 20_260_101,
      node: process.version,
    })
    // The commit; empty in a copy without history.
    expect(proof.commit).toMatch(/^([0-9a-f]{12})?\+?$/)
  })
})
