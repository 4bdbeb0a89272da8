import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** What a user may send, each as large as it may be, to a console that `fill-store.ts` has filled. */
export type Held = { url: string; headers: Record<string, string>; entityId: number; manifestId: number }
type Console = Pick<Held, 'url' | 'headers'>
export type Heavy = readonly [what: string, act: () => Promise<unknown>]

const most = 4900
const zip = resolve(import.meta.dirname, '../../../shared/cdm/zips/core-applicationCommon-full.zip')

export async function heavyCalls(held: Held): Promise<Heavy[]> {
  const deep = await chain(held, 12, 2000)
  const large = await made(held, { name: 'Large', typeAttributes: attributes(most, 'c') })
  return [
    ['nothing', () => wait(2000)],
    ...reads(held, { deep, large }),
    ...saves(held, { large }),
    ...ofManifest(held),
  ]
}

function reads(held: Held, { deep, large }: { deep: number; large: number }): Heavy[] {
  const { entityId, manifestId } = held
  const get = (path: string) => () => call(held, path)
  return [
    ['20 readers of 12 × 2,000 inherited attributes', () => together(20, get(`entity/${deep}`))],
    ['10 readers of 4,900 attributes', () => together(10, get(`entity/${large}`))],
    ['10 exports of 4,900 attributes', () => together(10, () => call(held, `entity/${large}/export`, 'POST'))],
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
    ['10 openapi.json', () => together(10, () => call(held, '/openapi.json'))],
    ['10 API references', () => together(10, () => call(held, '/api-reference/js/scalar.js'))],
  ]
}

function saves(held: Held, { large }: { large: number }): Heavy[] {
  const save = (description: string) => () =>
    call(held, `entity/${large}`, 'PUT', {
      entity: { name: 'Large', typeAttributes: attributes(most, 'c', description) },
    })
  return [
    [
      'a new entity of 4,900 attributes that are all wrong',
      () => call(held, 'entity', 'POST', { entity: { name: 'Wrong', typeAttributes: attributes(most, '! ') } }),
    ],
    [
      '6 new entities of 4,900 attributes at once',
      () =>
        together(6, index =>
          call(held, 'entity', 'POST', { entity: { name: `Large${index}`, typeAttributes: attributes(most, 'c') } }),
        ),
    ],
    ['a save of 4,900 other attributes', save('another')],
    ['6 saves of them at once', () => together(6, index => save(`text ${index}`)())],
    ['a version of it', () => call(held, `entity/custom/${large}/version?version=2.0.0`, 'POST')],
    ['a copy of it', () => call(held, 'entity', 'POST', { duplicateEntityId: large, entity: { name: 'LargeCopy' } })],
    ['its document imported', () => importDocument(held, large)],
    ['its deletion', () => call(held, `entity/${large}`, 'DELETE')],
  ]
}

function ofManifest(held: Held): Heavy[] {
  const { manifestId } = held
  const exclusions = Array.from({ length: 10_000 }, (_none, index) => `Wide${index}.get`)
  const configuration = { configurationBuild: { apiConfiguration: { excludeOperations: exclusions } } }
  return [
    ['validation of the manifest', () => call(held, `manifest/${manifestId}/validate`, 'POST')],
    ['its script', () => call(held, `manifest/${manifestId}/export`, 'POST', { databaseType: 'postgresql' })],
    [
      'a configuration with 10,000 exclusions',
      () => call(held, `manifest/${manifestId}/configuration`, 'POST', configuration),
    ],
    ['the same once more', () => call(held, `manifest/${manifestId}/configuration`, 'POST', configuration)],
    ['10 readers of it', () => together(10, () => call(held, `manifest/${manifestId}/configuration`))],
    ['a configuration of 10,000 scopes, and none of them', () => scopesComeAndGo(held)],
    ['a version of it', () => call(held, `manifest/${manifestId}/version?version=1.0.1`, 'POST')],
    ['10 readers of that', () => together(10, () => call(held, `manifest/${manifestId}?version=1.0.0`))],
    ['its renaming', () => call(held, `manifest/${manifestId}`, 'PUT', { manifestName: 'Renamed' })],
    ['10,000 of its entities copied into another', () => collect(held, 'Collected', 'EXCLUSIVE')],
    ['10,000 of its entities listed in place by another', () => collect(held, 'Listing', 'TEMPLATE')],
    [
      'its duplicate',
      () => call(held, 'manifest/wizard', 'POST', { manifestName: 'Twin', duplicateManifest: manifestId }),
    ],
    ['a folder of 1,022 entities imported', () => importFolder(held)],
    ['its deletion', () => call(held, `manifest/${manifestId}?onReferences=keep`, 'DELETE')],
  ]
}

async function scopesComeAndGo(held: Held): Promise<string> {
  const scopeDefinitions = Array.from({ length: 10_000 }, (_none, index) => `scope${index}`)
  const save = (scopes: string[]) =>
    call(held, `manifest/${held.manifestId}/configuration`, 'POST', {
      configurationBuild: { apiScopeConfiguration: { scopeDefinitions: scopes } },
    })
  return [await save(scopeDefinitions), await save([])].join()
}

/** Answers the status: some of these are refused, which is work too. */
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

async function collect(held: Held, manifestName: string, type: 'EXCLUSIVE' | 'TEMPLATE'): Promise<number> {
  const answer = await fetch(`${held.url}/1.0/cdm/manifest/${held.manifestId}`, { headers: held.headers })
  const { manifest }: { manifest: { entityPaths: { id: number }[] } } = JSON.parse(await answer.text())
  const to = await fetch(`${held.url}/1.0/cdm/manifest`, {
    method: 'POST',
    headers: { ...held.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ manifestName }),
  })
  const { manifest: into }: { manifest: { id: number } } = JSON.parse(await to.text())
  const entityIds = manifest.entityPaths.slice(0, 10_000).map(({ id }) => id)
  return call(held, `manifest/${into.id}/entities`, 'POST', { entityIds, type })
}

async function importDocument(held: Held, id: number): Promise<number> {
  const answer = await fetch(`${held.url}/1.0/cdm/entity/${id}/export`, { method: 'POST', headers: held.headers })
  const { entityDoc }: { entityDoc: { entity: object } } = JSON.parse(await answer.text())
  const renamed = { ...entityDoc, entity: { ...entityDoc.entity, name: 'LargeImported' } }
  const form = new FormData()
  form.set('entityFile', new Blob([JSON.stringify(renamed)]), 'large.json')
  return sendForm(held, 'entity/import', form)
}

async function importFolder(held: Held): Promise<number> {
  const form = new FormData()
  form.set('manifestFile', new Blob([readFileSync(zip)]), 'core.zip')
  return sendForm(held, 'manifest/import', form)
}

async function sendForm({ url, headers }: Held, path: string, body: FormData): Promise<number> {
  const answer = await fetch(`${url}/1.0/cdm/${path}`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

/** Entities that extend one another, with so many attributes each; answers the last one's id. */
async function chain(held: Held, depth: number, columns: number): Promise<number> {
  let id = -1
  for (let level = 0; level < depth; level++) {
    const entity = {
      name: `Link${level}`,
      typeAttributes: attributes(columns, `c${level}x`),
      extendsEntity: id < 0 ? null : { id },
    }
    id = await made(held, entity)
  }
  return id
}

function attributes(count: number, start: string, description = 'what it is for') {
  return Array.from({ length: count }, (_none, index) => ({ name: `${start}${index}`, description }))
}

export async function made({ url, headers }: Console, entity: object): Promise<number> {
  const answer = await fetch(`${url}/1.0/cdm/entity`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ entity }),
  })
  if (!answer.ok) throw new Error(`An entity was refused: ${answer.status} ${await answer.text()}`)
  const { entity: stored }: { entity: { id: number } } = JSON.parse(await answer.text())
  return stored.id
}
