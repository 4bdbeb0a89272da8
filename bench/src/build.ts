import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { writeArchive as archive } from '@cadmus/formats/archive'
import type { writePackage as write } from '@cadmus/formats/package/write'
import { aConfiguration } from '@cadmus/formats/testing/built-packages'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { largeModel } from '@cadmus/sql/testing/large-model'
import { machine } from './machine.ts'

// Measures writing and zipping a package of 1,000 entities, 20,000 attributes and 3,000 relationships, each run in a
// cold process of its own, like the first build of a server thread: `node bench/src/build.ts [rounds] [folder]`.
// `folder`: another working copy, which takes turns with this one and whose files are compared.

const here = resolve(import.meta.dirname, '../..')
const [first, second] = process.argv.slice(2)

type Figures = {
  files: number
  unpacked: number
  zip: number
  writeWall: number
  writeCpu: number
  zipWall: number
  zipCpu: number
  /** Megabytes of the whole process. */
  memory: number
  /** Hashes of all paths and contents, and of the zip. */
  content: string
  bytes: string
}

if (first === 'once' && second !== undefined) process.stdout.write(JSON.stringify(await build(second)))
else compare(Number(first ?? 5), second)

function compare(rounds: number, other: string | undefined): void {
  const folders = other === undefined ? [here] : [resolve(other), here]
  const figuresByFolder = new Map(folders.map(folder => [folder, [] as Figures[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (const folder of round % 2 === 0 ? folders : folders.toReversed())
      figuresByFolder.get(folder)?.push(inOwnProcess(folder))
  }
  const all = [...figuresByFolder.values()].flat()
  const contents = new Set(all.map(({ content }) => content))
  const zips = [...figuresByFolder.values()].map(figures => new Set(figures.map(({ bytes }) => bytes)).size)
  console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}; ${rounds} processes each, the best and the median`)
  console.log(`Files alike: ${contents.size === 1 ? 'all' : 'no'}; different zips of each: ${zips.join(', ')}\n`)
  console.log(
    '| Copy | Files | Unpacked | Zip | Write: wall | processor | Zip: wall | processor | Both: processor | Memory |\n|---|---|---|---|---|---|---|---|---|---|',
  )
  for (const [folder, figures] of figuresByFolder) console.log(lineOf(folder === here ? 'this' : 'other', figures))
}

function lineOf(name: string, figures: readonly Figures[]): string {
  const megabytes = (count: number) => `${(count / 1e6).toFixed(1)} MB`
  const formatted = (of: (one: Figures) => number) => {
    const sorted = figures.map(of).toSorted((a, b) => a - b)
    const seconds = [sorted[0], sorted[Math.floor(sorted.length / 2)]].map(time =>
      ((time ?? Number.NaN) / 1000).toFixed(2),
    )
    return `${seconds.join(' / ')} s`
  }
  const times = [
    formatted(one => one.writeWall),
    formatted(one => one.writeCpu),
    formatted(one => one.zipWall),
    formatted(one => one.zipCpu),
    formatted(one => one.writeCpu + one.zipCpu),
  ]
  const [one] = figures
  const sizes = one ? [String(one.files), megabytes(one.unpacked), megabytes(one.zip)] : []
  return `| ${[name, ...sizes, ...times, `${Math.max(...figures.map(({ memory }) => memory))} MB`].join(' | ')} |`
}

function inOwnProcess(folder: string): Figures {
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'once', folder], {
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

async function build(folder: string): Promise<Figures> {
  const module = (path: string) => pathToFileURL(join(folder, 'packages/formats/src', path)).href
  const { writePackage }: { writePackage: typeof write } = await import(module('package/write.ts'))
  const { writeArchive }: { writeArchive: typeof archive } = await import(module('archive.ts'))
  const resolvedModel = withCountedUids(largeModel())
  const source = { name: 'large', version: '1.0.0', manifestVersion: '1.0.0', organisation: 'ACME' }
  const configuration = aConfiguration()
  const [files, written] = timed(() => writePackage({ ...source, resolvedModel, configuration }))
  const [bytes, zipped] = timed(() => writeArchive(files))
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  const content = createHash('sha256')
  for (const [path, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) content.update(`${path}\0${text}\0`)
  return {
    files: files.size,
    unpacked: [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
    zip: bytes.length,
    writeWall: written.wall,
    writeCpu: written.cpu,
    zipWall: zipped.wall,
    zipCpu: zipped.cpu,
    memory,
    content: content.digest('hex'),
    bytes: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** Replaces the random uids of the test model, so that every process has the same model. */
function withCountedUids({ root, manifests, byId }: ResolvedModel): ResolvedModel {
  const replacements = new Map<string, string>()
  const replacementOf = (uid: string) => {
    const one = replacements.get(uid) ?? `00000000-0000-7000-8000-${replacements.size.toString(16).padStart(12, '0')}`
    replacements.set(uid, one)
    return one
  }
  const withReplacements = <T extends { id: number }>(all: Iterable<T>): Map<number, T> =>
    new Map(
      [...all].map(one => {
        const text = JSON.stringify(one).replace(
          /"uid":"([^"]+)"/g,
          (_whole, uid: string) => `"uid":"${replacementOf(uid)}"`,
        )
        const copy: T = JSON.parse(text)
        return [one.id, copy]
      }),
    )
  const entities: Map<number, EntityNode> = withReplacements(byId.values())
  const source = { manifests: withReplacements(manifests), entities }
  return resolveModel(source.manifests.get(root.id) ?? root, source)
}

function timed<T>(work: () => T): [T, { wall: number; cpu: number }] {
  const before = process.cpuUsage()
  const start = performance.now()
  const done = work()
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return [done, { wall, cpu: (user + system) / 1000 }]
}
