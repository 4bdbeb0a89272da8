import { createHash } from 'node:crypto'
import { canonicalJson } from '@cadmus/model/content'
import type { EntityContentsAnswer, EntityStateAnswer } from '@cadmus/model/contract/contents'
import type { EntityContent, EntityNode } from '@cadmus/model/entity'
import { resolvedAnswerOf } from '@cadmus/model/entity-answer'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { limits } from '@cadmus/model/limits'
import type { ModelSource } from '@cadmus/model/resolved-model'
import { highestFirst } from '@cadmus/model/version'
import { isDefaultEntity } from '../commands/entity/entity-state.ts'
import { hashOf } from '../store/content.ts'
import type { Tx } from '../store/database.ts'
import { type EntityRow, entityRowsByIds, writeScopes } from '../store/entity.ts'
import { referenceLookup, refreshed } from '../store/entity-refresh.ts'
import { frozenNumbersOf } from '../store/entity-version.ts'
import { manifestsByIds } from '../store/manifest.ts'
import type { ModelReader } from '../store/model-source.ts'
import { referencesIn } from '../store/open-reference.ts'
import type { Store } from '../store/store.ts'
import { inOneMoment, modelAtMoment, momentOf } from './model-at.ts'
import type { ContentsInput } from './tasks.ts'

/** The states of a manifest's own entities that the caller does not have, each as a GET of the entity answers it. */
export async function entityContents(
  store: Store,
  { organisationId, manifestId, known }: ContentsInput,
  reader: ModelReader,
): Promise<EntityContentsAnswer> {
  return inOneMoment(store, organisationId, async tx => {
    const place = { organisationId, manifestId, version: null }
    const { root, source } = await modelAtMoment(tx, place, await momentOf(tx, place), reader)
    const nodes = root.entities.flatMap(({ id }) => source.entities.get(id) ?? [])
    const stateOf = await statesOf(tx, organisationId, nodes, source)
    const tags = new Map(known.map(({ id, tag }) => [id, tag]))
    const entities: EntityStateAnswer[] = []
    let length = 0
    let more = false
    // Made one by one: each of many subtypes may inherit thousands of attributes.
    for (const node of nodes) {
      const { tag, answer } = stateOf(node)
      if (tags.get(node.id) === tag) continue
      more = length > limits.readContents.answer
      if (more) break
      const { content, ...state } = answer()
      length += content.length + JSON.stringify(state).length
      entities.push({ ...state, content })
    }
    return { ids: nodes.map(({ id }) => id), entities, more }
  })
}

/** `answer`: made only for those that are sent. */
type State = { tag: string; answer: () => EntityStateAnswer }

async function statesOf(
  tx: Tx,
  organisationId: number,
  nodes: readonly EntityNode[],
  { entities }: ModelSource,
): Promise<(node: EntityNode) => State> {
  const ids = nodes.map(({ id }) => id)
  const rows = await entityRowsByIds(tx, organisationId, ids)
  const versions = await frozenNumbersOf(tx, organisationId, ids)
  const owners = [...new Set(Array.from(rows.values(), row => row.manifest_id))].filter(id => id > 0)
  const manifests = new Map(
    (await manifestsByIds(tx, organisationId, owners)).map(({ id, name }) => [id, { id, name }]),
  )
  const isOpen = (node: EntityNode) => referencesIn(node).some(({ id }) => !entities.has(id))
  const open = new Set(nodes.filter(isOpen))
  const lookup = await referenceLookup(tx, organisationId, [...open])
  const inheritedTag = newInheritedTag(entities)
  return node => {
    const row = rows.get(node.id)
    if (!row) throw new Error('An entity of the model has no row.')
    const { text, hash } = open.has(node) ? writtenContent(refreshed(contentOf(node), lookup)) : written(node)
    const state = {
      id: node.id,
      etag: hasOwnScopes(row, node) ? hash : row.content_hash,
      path: row.path,
      isDefault: isDefaultEntity(row),
      targetManifest: manifests.get(row.manifest_id) ?? null,
      versions: highestFirst([...(versions.get(node.id) ?? []), row.latest_version], version => version),
      latestVersion: row.latest_version,
    }
    const tag = shortHash(JSON.stringify([hash, inheritedTag(node), state]))
    const resolved = () =>
      node.extendsEntity && {
        resolvedAttributes: resolvedAnswerOf(resolvedAttributes(node, id => entities.get(id))),
      }
    return { tag, answer: () => ({ ...state, tag, content: text(), ...resolved() }) }
  }
}

/** Of all that an entity inherits from: cheaper than what it inherits. */
function newInheritedTag(entities: ModelSource['entities']): (node: EntityNode) => string {
  const tags = new Map<number, string>()
  const parentOf = ({ extendsEntity }: EntityNode) => (extendsEntity ? entities.get(extendsEntity.id) : undefined)
  return node => {
    const passed = new Set([node])
    let parent = parentOf(node)
    for (; parent && !tags.has(parent.id) && !passed.has(parent); parent = parentOf(parent)) passed.add(parent)
    let tag = (parent && tags.get(parent.id)) ?? ''
    for (const ancestor of [...passed].slice(1).toReversed()) {
      tag = shortHash(JSON.stringify([tag, written(ancestor).hash, ancestor.path]))
      tags.set(ancestor.id, tag)
    }
    return tag
  }
}

function contentOf({ id: _id, path: _path, ...content }: EntityNode): EntityContent {
  return content
}

/** The etag of a predefined entity with the organisation's own scopes is that of both. */
function hasOwnScopes(row: EntityRow, { operationScopes }: EntityNode): boolean {
  return writeScopes(operationScopes) !== row.scopes
}

type Written = { text: () => string; hash: string }

function writtenContent(content: EntityContent): Written {
  const text = canonicalJson(content)
  return { text: () => text, hash: hashOf(text) }
}

/** Of nodes that the reader keeps. */
const hashes = new WeakMap<EntityNode, string>()

function written(node: EntityNode): Written {
  const hash = hashes.get(node)
  if (hash !== undefined) return { text: () => canonicalJson(contentOf(node)), hash }
  const first = writtenContent(contentOf(node))
  hashes.set(node, first.hash)
  return first
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
