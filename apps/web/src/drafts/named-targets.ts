import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { foldName } from '@cadmus/model/paths'
import type { CellRefusal, ReferenceTarget } from '@cadmus/model/sheet/columns'
import { entityQuery } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { entityPage } from '../api/lists.ts'
import { queryClient } from '../api/query-client.ts'
import { targetsOf } from './new-relationship.ts'

type Target = ReferenceTarget | CellRefusal

/** Further texts are refused: each takes two calls. */
const mostTargets = 200
const atOnce = 6

/** Where targets are looked up: an entity, which has none in itself, or a manifest. */
type Origin = { id: number | null; targetManifest: { id: number } | null }

/** The targets that texts such as `Customer.id` or `Customer` name; entities of the same manifest come first. */
export async function findTargets(texts: readonly string[], origin: Origin): Promise<(text: string) => Target> {
  const targets = new Map<string, Target>()
  const unique = [...new Set(texts)].slice(0, mostTargets)
  for (let start = 0; start < unique.length; start += atOnce) {
    const part = unique.slice(start, start + atOnce)
    await Promise.all(part.map(async text => targets.set(text, await findTarget(text, origin))))
  }
  const further = new Set(texts.filter(text => !targets.has(text)))
  return text =>
    targets.get(text) ?? (further.has(text) ? { reason: sheetTexts.furtherTarget(mostTargets) } : unknown(text))
}

/** Entities whose targets are suggested. */
const mostSuggested = 6

/** Targets whose names begin like a text: keys of entities, or after a dot the attributes of an entity. */
export async function suggestTargets(text: string, { id, targetManifest }: EntityAnswer): Promise<string[]> {
  const dot = text.lastIndexOf('.')
  const name = (dot < 0 ? text : text.slice(0, dot)).trim()
  if (name === '') return []
  const page = await entityPage({
    filter: 'ALL',
    search: name,
    page: 0,
    limit: mostSuggested,
    order: 'match',
    near: targetManifest?.id ?? -1,
  })
  const entities = page.entity.filter(one => one.id !== id && (dot < 0 || foldName(one.name) === foldName(name)))
  const loaded = await Promise.all(entities.map(async one => queryClient.fetchQuery(entityQuery(one.id))))
  const targets = loaded.flatMap(one =>
    targetsOf(one.entity)
      .filter(({ isPrimaryKey }) => isPrimaryKey || dot >= 0)
      .map(target => `${one.entity.name}.${target.name}`),
  )
  return [...new Set(targets)]
}

/** The parts of a text such as `Customer.id`; without an attribute it names the key. */
export function splitTarget(text: string): { entity: string; attribute: string } {
  const dot = text.lastIndexOf('.')
  return dot < 0 ? { entity: text, attribute: '' } : { entity: text.slice(0, dot), attribute: text.slice(dot + 1) }
}

function unknown(text: string): CellRefusal {
  return { reason: sheetTexts.unknownTarget(text) }
}

async function findTarget(text: string, { id, targetManifest }: Origin): Promise<Target> {
  const { entity: name, attribute } = splitTarget(text)
  try {
    const near = targetManifest?.id ?? -1
    const page = await entityPage({ filter: 'ALL', search: name, page: 0, limit: 20, order: 'match', near })
    const item = page.entity.find(one => foldName(one.name) === foldName(name))
    if (!item) return unknown(text)
    if (item.id === id) return { reason: messages.relatedToItself }
    const targets = targetsOf((await queryClient.fetchQuery(entityQuery(item.id))).entity)
    const isNamed = (target: { name: string; isPrimaryKey: boolean }) =>
      attribute === '' ? target.isPrimaryKey : foldName(target.name) === foldName(attribute)
    const target = targets.find(isNamed)
    const key = targets.find(one => one.isPrimaryKey)
    if (!target) return { ...unknown(text), ...(key ? { offer: `${item.name}.${key.name}` } : {}) }
    const reference = { id: item.id, name: item.name, path: item.location }
    return { entity: reference, attribute: target.name, attributeUid: null, dataType: target.dataType }
  } catch (error) {
    return { reason: messageOf(error, messages.failed.unexpected) }
  }
}
