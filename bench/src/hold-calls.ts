import { editFormat } from '@cadmus/model/edits/edit-forms'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The largest requests of each kind, for a console filled by `fill-store.ts`. */
export type FilledConsole = { url: string; headers: Record<string, string>; entityId: number; manifestId: number }
type Console = Pick<FilledConsole, 'url' | 'headers'>
export type HeavyCall = readonly [what: string, act: () => Promise<unknown>]

const maxAttributes = 4900
const zip = resolve(import.meta.dirname, '../../../shared/cdm/zips/core-applicationCommon-full.zip')

export async function heavyCalls(target: FilledConsole): Promise<HeavyCall[]> {
  const deep = await chain(target, 12, 2000)
  const large = await createEntity(target, { name: 'Large', typeAttributes: attributes(maxAttributes, 'c') })
  return [
    ['nothing', () => wait(2000)],
    ...reads(target, { deep, large }),
    ...saves(target, { large }),
    await changeOfMany(target, 12),
    ...manifestCalls(target),
  ]
}

function reads(target: FilledConsole, { deep, large }: { deep: number; large: number }): HeavyCall[] {
  const { entityId, manifestId } = target
  const get = (path: string) => () => call(target, path)
  return [
    ['20 readers of 12 × 2,000 inherited attributes', () => together(20, get(`entity/${deep}`))],
    ['10 readers of 4,900 attributes', () => together(10, get(`entity/${large}`))],
    ['10 exports of 4,900 attributes', () => together(10, () => call(target, `entity/${large}/export`, 'POST'))],
    ['10 lists of 1,000', () => together(10, get('entity?limit=1000'))],
    ['10 lists by path', () => together(10, get('entity?limit=1000&pathFilter=Wide'))],
    ['10 lists by match', () => together(10, get('entity?limit=1000&order=match&search=rec'))],
    ['10 searches of two letters', () => together(10, get('entity?limit=1000&search=re'))],
    ['10 lists of folders', () => together(10, get('entity/folders?limit=1000'))],
    ['10 navigators', () => together(10, get('navigator'))],
    ['10 logs of 1,000', () => together(10, get('entity/logs?limit=1000'))],
    ['10 lists of 5,000 versions', () => together(10, get(`entity/custom/${entityId}/version`))],
    ['20 readers of the manifest', () => together(20, get(`manifest/${manifestId}`))],
    ['10 lists of its entities', () => together(10, get(`manifest/${manifestId}/entities?limit=1000`))],
    ['10 lists of what refers to it', () => together(10, get(`manifest/${manifestId}/references`))],
    ['10 openapi.json', () => together(10, () => call(target, '/openapi.json'))],
    ['10 API references', () => together(10, () => call(target, '/api-reference/js/scalar.js'))],
  ]
}

function saves(target: FilledConsole, { large }: { large: number }): HeavyCall[] {
  const save = (description: string) => () =>
    call(target, `entity/${large}`, 'PUT', {
      entity: { name: 'Large', typeAttributes: attributes(maxAttributes, 'c', description) },
    })
  return [
    [
      'a new entity of 4,900 attributes that are all wrong',
      () =>
        call(target, 'entity', 'POST', { entity: { name: 'Wrong', typeAttributes: attributes(maxAttributes, '! ') } }),
    ],
    [
      '6 new entities of 4,900 attributes at once',
      () =>
        together(6, index =>
          call(target, 'entity', 'POST', {
            entity: { name: `Large${index}`, typeAttributes: attributes(maxAttributes, 'c') },
          }),
        ),
    ],
    ['a save of 4,900 other attributes', save('another')],
    ['6 saves of them at once', () => together(6, index => save(`text ${index}`)())],
    ['a version of it', () => call(target, `entity/custom/${large}/version?version=2.0.0`, 'POST')],
    ['a copy of it', () => call(target, 'entity', 'POST', { duplicateEntityId: large, entity: { name: 'LargeCopy' } })],
    ['its document imported', () => importDocument(target, large)],
    ['its deletion', () => call(target, `entity/${large}`, 'DELETE')],
  ]
}

/** One change that affects several entities of 4.3 MB. */
async function changeOfMany(target: FilledConsole, count: number): Promise<HeavyCall> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    const typeAttributes = attributes(maxAttributes, 'c', 'x'.repeat(600))
    ids.push(await createEntity(target, { name: `Described${index}`, typeAttributes }))
  }
  const change = (description: string) =>
    call(target, 'changes', 'POST', {
      format: editFormat,
      operationId: randomUUID(),
      changes: ids.map(id => ({
        kind: 'entity',
        id,
        base: '*',
        edits: [{ kind: 'changeEntity', change: { description } }],
      })),
    })
  return [
    `a change of ${count} entities of 4.3 MB, three times at once`,
    () => together(3, index => change(`text ${index}`)),
  ]
}

const nowWithItself = { before: { kind: 'now' }, after: { kind: 'now' } }

function manifestCalls(target: FilledConsole): HeavyCall[] {
  const { manifestId } = target
  const exclusions = Array.from({ length: 10_000 }, (_none, index) => `Wide${index}.get`)
  const configuration = { configurationBuild: { apiConfiguration: { excludeOperations: exclusions } } }
  return [
    ['validation of the manifest', () => call(target, `manifest/${manifestId}/validate`, 'POST')],
    ['its script', () => call(target, `manifest/${manifestId}/export`, 'POST', { databaseType: 'postgresql' })],
    [
      '4 comparisons of it with itself',
      () => together(4, () => call(target, `manifest/${manifestId}/comparison`, 'POST', nowWithItself)),
    ],
    [
      'a configuration with 10,000 exclusions',
      () => call(target, `manifest/${manifestId}/configuration`, 'POST', configuration),
    ],
    ['the same once more', () => call(target, `manifest/${manifestId}/configuration`, 'POST', configuration)],
    ['10 readers of it', () => together(10, () => call(target, `manifest/${manifestId}/configuration`))],
    ['a configuration of 10,000 scopes, and none of them', () => addAndRemoveScopes(target)],
    ['a version of it', () => call(target, `manifest/${manifestId}/version?version=1.0.1`, 'POST')],
    ['10 readers of that', () => together(10, () => call(target, `manifest/${manifestId}?version=1.0.0`))],
    ['its renaming', () => call(target, `manifest/${manifestId}`, 'PUT', { manifestName: 'Renamed' })],
    ['10,000 of its entities copied into another', () => collect(target, 'Collected', 'EXCLUSIVE')],
    ['10,000 of its entities listed in place by another', () => collect(target, 'Listing', 'TEMPLATE')],
    [
      'its duplicate',
      () => call(target, 'manifest/wizard', 'POST', { manifestName: 'Twin', duplicateManifest: manifestId }),
    ],
    ['a folder of 1,022 entities imported', () => importFolder(target)],
    ['its deletion', () => call(target, `manifest/${manifestId}?onReferences=keep`, 'DELETE')],
  ]
}

async function addAndRemoveScopes(target: FilledConsole): Promise<string> {
  const scopeDefinitions = Array.from({ length: 10_000 }, (_none, index) => `scope${index}`)
  const save = (scopes: string[]) =>
    call(target, `manifest/${target.manifestId}/configuration`, 'POST', {
      configurationBuild: { apiScopeConfiguration: { scopeDefinitions: scopes } },
    })
  return [await save(scopeDefinitions), await save([])].join()
}

/** Returns the status: rejected requests are measured as well. */
export async function call({ url, headers }: Console, path: string, method = 'GET', body?: object): Promise<number> {
  const place = path.startsWith('/') ? path : `/1.0/cdm/${path}`
  const answer = await fetch(url + place, {
    method,
    headers: { ...headers, 'if-match': '*', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

async function together(count: number, act: (index: number) => Promise<unknown>): Promise<unknown> {
  const answers = await Promise.all(Array.from({ length: count }, (_none, index) => act(index)))
  return [...new Set(answers)].join()
}

async function collect(target: FilledConsole, manifestName: string, type: 'EXCLUSIVE' | 'TEMPLATE'): Promise<number> {
  const answer = await fetch(`${target.url}/1.0/cdm/manifest/${target.manifestId}`, { headers: target.headers })
  const { manifest }: { manifest: { entityPaths: { id: number }[] } } = JSON.parse(await answer.text())
  const to = await fetch(`${target.url}/1.0/cdm/manifest`, {
    method: 'POST',
    headers: { ...target.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ manifestName }),
  })
  const { manifest: into }: { manifest: { id: number } } = JSON.parse(await to.text())
  const entityIds = manifest.entityPaths.slice(0, 10_000).map(({ id }) => id)
  return call(target, `manifest/${into.id}/entities`, 'POST', { entityIds, type })
}

async function importDocument(target: FilledConsole, id: number): Promise<number> {
  const answer = await fetch(`${target.url}/1.0/cdm/entity/${id}/export`, { method: 'POST', headers: target.headers })
  const { entityDoc }: { entityDoc: { entity: object } } = JSON.parse(await answer.text())
  const renamed = { ...entityDoc, entity: { ...entityDoc.entity, name: 'LargeImported' } }
  const form = new FormData()
  form.set('entityFile', new Blob([JSON.stringify(renamed)]), 'large.json')
  return sendForm(target, 'entity/import', form)
}

async function importFolder(target: FilledConsole): Promise<number> {
  const form = new FormData()
  form.set('manifestFile', new Blob([readFileSync(zip)]), 'core.zip')
  return sendForm(target, 'manifest/import', form)
}

async function sendForm({ url, headers }: FilledConsole, path: string, body: FormData): Promise<number> {
  const answer = await fetch(`${url}/1.0/cdm/${path}`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

/**
 * A chain of entities that extend one another, each with the given number of attributes; returns the id of the last
 * one.
 */
async function chain(target: FilledConsole, depth: number, columns: number): Promise<number> {
  let id = -1
  for (let level = 0; level < depth; level++) {
    const entity = {
      name: `Link${level}`,
      typeAttributes: attributes(columns, `c${level}x`),
      extendsEntity: id < 0 ? null : { id },
    }
    id = await createEntity(target, entity)
  }
  return id
}

function attributes(count: number, start: string, description = 'what it is for') {
  return Array.from({ length: count }, (_none, index) => ({ name: `${start}${index}`, description }))
}

export async function createEntity({ url, headers }: Console, entity: object): Promise<number> {
  const answer = await fetch(`${url}/1.0/cdm/entity`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ entity }),
  })
  if (!answer.ok) throw new Error(`An entity was refused: ${answer.status} ${await answer.text()}`)
  const { entity: stored }: { entity: { id: number } } = JSON.parse(await answer.text())
  return stored.id
}
