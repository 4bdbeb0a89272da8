import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { compareModels } from '@cadmus/model/comparison/compare-models'
import { listedEntities } from '@cadmus/model/comparison/listed'
import type { EntityNode } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { aManifest } from '@cadmus/model/testing/builders'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { largeModel } from '@cadmus/sql/testing/large-model'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { machine, timed } from './machine.ts'

/**
 * Measures comparisons: `node bench/src/compare.ts`. First the differences alone, by thread time, then calls of a running console by
 * processor time of the whole server: the current state of a manifest with itself, with unsaved edits of 1,000 of its entities, ten added
 * attributes each, and the impact of renaming an attribute that is referred to. Best and median of ten to twenty.
 */
const changedEntities = 1000
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| What | Best | Median |\n|---|---|---|')
measureDifferences(1000)
measureDifferences(10_000)
await measureCalls(1000)
await measureCalls(10_000)

/** Ten changed columns of each of 1,000 entities; all of the others are the same objects. */
function measureDifferences(count: number): void {
  const [before, after] = states(count)
  const compare = () => {
    const { entities } = compareModels(before, after)
    const { more } = listedEntities(entities, limits.comparedChanges)
    if (entities.length !== changedEntities || more > 0) throw new Error('The comparison is wrong.')
  }
  const { best, median } = timed(20, compare)
  report(`differences of ${count} entities, 10,000 changes`, best, median)
  report(`the same states as other objects`, ...same(before, copied(before.resolvedModel)))
}

function same(...[before, after]: Parameters<typeof compareModels>): [best: number, median: number] {
  const { best, median } = timed(20, () => {
    if (compareModels(before, after).entities.length > 0) throw new Error('The comparison is wrong.')
  })
  return [best, median]
}

type State = Parameters<typeof compareModels>[0]

function states(count: number): [State, State] {
  const entities = Array.from({ length: count / 1000 }, () => largeModel().entities).flat()
  const changed = entities.map((entity, index) => (index < changedEntities ? withChanges(entity) : entity))
  return [stateOf(entities), stateOf(changed)]
}

function stateOf(entities: readonly EntityNode[]): State {
  const root = aManifest({ id: 1, uid: 'bench', entities: entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' })) })
  const source = { manifests: new Map([[1, root]]), entities: new Map(entities.map(entity => [entity.id, entity])) }
  return { resolvedModel: resolveModel(root, source), configuration: undefined }
}

function copied({ entities }: ResolvedModel): State {
  return stateOf(structuredClone([...entities]))
}

function withChanges(entity: EntityNode): EntityNode {
  const typeAttributes = entity.typeAttributes.map((attribute, index) =>
    index < 10 ? { ...attribute, description: 'another one' } : attribute,
  )
  return { ...entity, typeAttributes }
}

async function measureCalls(count: number): Promise<void> {
  const dataDir = temporaryFolder('compare')
  const options = { dataDir, env: { CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const args = [organisation, '50', String(count), join(dataDir, 'cadmus.sqlite'), '0', '20']
  const { wide }: { wide: { id: number } } = JSON.parse(execFileSync(process.execPath, [filler, ...args]).toString())
  const server = await startConsole(options)
  const path = `manifest/${wide.id}`
  const { manifest }: { manifest: { entityPaths: { id: number }[] } } = JSON.parse(await call(server, 'GET', path))
  const edits = Array.from({ length: 10 }, (_, index) => ({
    kind: 'addAttributes',
    added: [{ item: newTypeAttribute({ name: `added${index}`, position: 30 + index }), before: null }],
  }))
  const entities = manifest.entityPaths.slice(0, changedEntities).map(({ id }) => ({ id, edits: withUids(edits) }))
  const now = { kind: 'now' }
  const bodies = [
    ['without changes', { before: now, after: now }],
    ['with 10,000 changes', { before: now, after: { kind: 'draft', entities } }],
  ] as const
  for (const [what, body] of bodies) {
    const times: number[] = []
    for (let round = 0; round < 10; round += 1) {
      const begin = processorTimeOf(server.pid)
      await call(server, 'POST', `${path}/comparison`, body)
      times.push(processorTimeOf(server.pid) - begin)
    }
    const [best = 0, ...rest] = times.toSorted((a, b) => a - b)
    report(`call: ${count} entities ${what}`, best, rest[4] ?? 0)
  }
  report(`impact of a rename in ${count} entities`, ...(await measureImpact(server, manifest.entityPaths)))
  await server.stop()
  removeFolder(dataDir)
}

/** The impact of renaming the keys of twenty different entities. */
async function measureImpact(
  server: ConsoleServer,
  entities: readonly { id: number }[],
): Promise<[best: number, median: number]> {
  const times: number[] = []
  for (const { id } of entities.slice(20, 40)) {
    const { entity } = JSON.parse(await call(server, 'GET', `entity/${id}`))
    const { uid } = entity.typeAttributes.find((attribute: { name: string }) => attribute.name === 'id')
    const edits = [{ kind: 'changeAttributes', changes: [{ uid, change: { name: 'number' } }] }]
    const begin = processorTimeOf(server.pid)
    const impact = JSON.parse(await call(server, 'POST', `entity/${id}/impact`, { edits }))
    times.push(processorTimeOf(server.pid) - begin)
    if (impact.totalReferences === 0 || impact.manifests.length !== 1) throw new Error('The impact is wrong.')
  }
  const [best = 0, ...rest] = times.toSorted((a, b) => a - b)
  return [best, rest[9] ?? 0]
}

/** Milliseconds, in steps of ten. */
function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

function withUids<T extends { added: { item: object }[] }>(edits: readonly T[]): object[] {
  return edits.map(edit => ({
    ...edit,
    added: edit.added.map(one => ({ ...one, item: { ...one.item, uid: crypto.randomUUID() } })),
  }))
}

async function call({ url }: ConsoleServer, method: string, path: string, body?: object): Promise<string> {
  const answer = await fetch(`${url}/1.0/cdm/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-organisation-code': organisation,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${text.slice(0, 300)}`)
  return text
}

function report(what: string, best: number, median: number): void {
  console.log(`| ${what} | ${best.toFixed(0)} ms | ${median.toFixed(0)} ms |`)
}
