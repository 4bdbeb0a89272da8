import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeUsedEngines } from './engine-versions.ts'

// Proofs run with small counts in every `npm test` and with full counts in `npm run prove`. The seed is fixed, so that
// failures can be repeated; CADMUS_SEED overrides it.

export interface ProofRecord {
  /** The proven property in one sentence; the key of the record. */
  readonly name: string
  readonly counts: Readonly<Record<string, number>>
  readonly durationMs: number
}

const FILE = fileURLToPath(new URL('../../bench/proofs.json', import.meta.url))
const DEFAULT_SEED = 20_260_101

export function isProving(): boolean {
  return process.env['CADMUS_PROVE'] === '1'
}

/** The number of repetitions: `full` with `npm run prove`, else `small`. CADMUS_PROVE_<NAME> overrides it. */
export function proofCount(name: string, small: number, full: number): number {
  const configured = process.env[`CADMUS_PROVE_${name.toUpperCase()}`]
  if (configured !== undefined && /^[1-9]\d*$/.test(configured)) return Number(configured)
  return isProving() ? full : small
}

export function proofSeed(): number {
  return Number(process.env['CADMUS_SEED'] ?? DEFAULT_SEED)
}

/**
 * Writes a proof to bench/proofs.json, with its engines and the parameters needed to repeat it. Does nothing unless
 * proving.
 */
export function recordProof(record: ProofRecord, file: string = FILE): void {
  const engines = takeUsedEngines()
  if (!isProving()) return
  const proofs = readProofs(file).filter(({ name }) => name !== record.name)
  const entry = {
    ...record,
    ...(Object.keys(engines).length > 0 && { engines }),
    durationMs: Math.round(record.durationMs),
    seed: proofSeed(),
    commit: commitNow(),
    node: process.version,
    machine: `${process.platform} ${process.arch}, ${cpus().length} cores`,
    date: new Date().toISOString().slice(0, 10),
  }
  const sorted = [...proofs, entry].sort((a, b) => a.name.localeCompare(b.name))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** The abbreviated hash of the commit, followed by '+' if other files than the proofs have changes; '' without git. */
function commitNow(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: dirname(FILE), encoding: 'utf8' }).stdout ?? ''
  const isChanged = git('status', '--porcelain', '--', ':/', ':(top,exclude)bench/proofs.json').trim() !== ''
  return `${git('rev-parse', '--short=12', 'HEAD').trim()}${isChanged ? '+' : ''}`
}

function readProofs(file: string): ProofRecord[] {
  const text = readIfPresent(file)
  const value: unknown = text === '' ? [] : JSON.parse(text)
  if (!Array.isArray(value)) throw new Error(`${file} holds no list.`)
  return value
}

function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
