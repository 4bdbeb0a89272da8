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
import { type ReferenceLookup, referenceLookup, refreshed } from '../store/entity-refresh.ts'
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
      const { content, ...state } = stateOf(node)
      if (tags.get(state.id) === state.tag) continue
      more = length > limits.readContents.answer
      if (more) break
      const text = canonicalJson(content)
      length += text.length + JSON.stringify(state).length
      entities.push({ ...state, content: text })
    }
    return { ids: nodes.map(({ id }) => id), entities, more }
  })
}

type State = Omit<EntityStateAnswer, 'content'> & { content: EntityContent }

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
  return node => {
    const row = rows.get(node.id)
    if (!row) throw new Error('An entity of the model has no row.')
    const content = contentOf(node, open.has(node) ? lookup : undefined)
    const contentTag = open.has(node) ? hashOf(canonicalJson(content)) : tagOf(node, content)
    const resolved = node.extendsEntity && resolvedAnswerOf(resolvedAttributes(node, id => entities.get(id)))
    const state = {
      id: node.id,
      etag: etagOf(row, content),
      path: row.path,
      isDefault: isDefaultEntity(row),
      targetManifest: manifests.get(row.manifest_id) ?? null,
      versions: highestFirst([...(versions.get(node.id) ?? []), row.latest_version], version => version),
      latestVersion: row.latest_version,
      ...(resolved ? { resolvedAttributes: resolved } : {}),
    }
    return { ...state, tag: shortHash(JSON.stringify([contentTag, state])), content }
  }
}

/** `lookup`: for references that the model does not have. */
function contentOf({ id: _id, path: _path, ...content }: EntityNode, lookup: ReferenceLookup | undefined) {
  return lookup ? refreshed(content, lookup) : content
}

/** A predefined entity with the organisation's own scopes has the tag of both. */
function etagOf(row: EntityRow, content: EntityContent): string {
  const hasOwnScopes = writeScopes(content.operationScopes) !== row.scopes
  return hasOwnScopes ? hashOf(canonicalJson(content)) : row.content_hash
}

/** Of nodes that the reader keeps. */
const contentTags = new WeakMap<EntityNode, string>()

function tagOf(node: EntityNode, content: EntityContent): string {
  const tag = contentTags.get(node) ?? hashOf(canonicalJson(content))
  contentTags.set(node, tag)
  return tag
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
