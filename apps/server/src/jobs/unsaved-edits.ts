import { columnName, columnsOf } from '@cadmus/model/columns'
import { type Configuration, newConfiguration, withoutSecrets } from '@cadmus/model/configuration'
import { applyConfigurationEdits, type ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { hasEffect } from '@cadmus/model/edits/definition'
import { applyEntityEdits, type EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityNode } from '@cadmus/model/entity'
import { comparisonSideTexts } from '@cadmus/model/messages/comparison-sides'
import { ApiError } from '../errors/api-error.ts'

/** Edits that a user has not saved, of entities by id and of the configuration of a manifest. */
export type UnsavedEdits = {
  entities: readonly { id: number; edits: readonly EntityEdit[] }[]
  configuration: readonly ConfigurationEdit[]
}

/** Passed columns of all edits, and passed characters of a configuration: each edit passes through all of it. */
const maxWork = { columns: 20_000_000, characters: 100_000_000 }
/** In characters, many times what can be saved: texts about each column repeat the name of its entity. */
const longestName = 1000

/** An entity with edits that were applied before. */
export type EditedEntity = { base: EntityNode; text: string; edited: EntityNode }

/**
 * The entities with the edits; throws 400 if that is too much work. `cache`: by id, for successive states of the same edits: unchanged
 * ones are identical objects.
 */
export function withEntityEdits(
  entities: ReadonlyMap<number, EntityNode>,
  drafts: UnsavedEdits['entities'],
  cache?: Map<number, EditedEntity>,
): ReadonlyMap<number, EntityNode> {
  const all = new Map(entities)
  const used = new Map<number, EditedEntity>()
  let work = 0
  for (const { id, edits: given } of drafts) {
    const base = all.get(id)
    if (!base) continue
    const text = cache ? JSON.stringify(given) : ''
    const cached = cache?.get(id)
    const isSame = cached?.base === base && cached.text === text
    const edits = isSame ? [] : given.filter(hasEffect)
    work += workOf(base, edits)
    if (work > maxWork.columns) throw tooManyEdits()
    const edited = isSame ? cached.edited : withEdits(base, edits)
    used.set(id, { base, text, edited })
    all.set(id, edited)
  }
  cache?.clear()
  for (const [id, one] of used) cache?.set(id, one)
  return all
}

function workOf({ typeAttributes, entityAttributes }: EntityNode, edits: readonly EntityEdit[]): number {
  const added = edits.reduce((sum, edit) => sum + ('added' in edit ? edit.added.length : 0), 0)
  return edits.length * (typeAttributes.length + entityAttributes.length + added)
}

function withEdits(entity: EntityNode, edits: readonly EntityEdit[]): EntityNode {
  const result = applyEntityEdits(entity, edits)
  if ([result.name, ...columnsOf(result).map(columnName)].some(({ length }) => length > longestName))
    throw new ApiError(400, 'too_large', comparisonSideTexts.longName(longestName))
  return { ...result, id: entity.id, path: entity.path }
}

/** The configuration with the edits, without secrets; `name` is the manifest's. Throws 400 if that is too much work. */
export function withConfigurationEdits(
  configuration: Configuration | undefined,
  name: string,
  all: readonly ConfigurationEdit[],
): Configuration | undefined {
  const edits = all.filter(hasEffect)
  if (edits.length === 0) return configuration
  // Encrypted secrets are longer than an edited configuration may have.
  const base = withoutSecrets(configuration ?? newConfiguration(name))
  // The edits may make it as much longer.
  if (edits.length * JSON.stringify([base, edits]).length > maxWork.characters) throw tooManyEdits()
  return applyConfigurationEdits(base, edits)
}

function tooManyEdits(): ApiError {
  return new ApiError(400, 'too_large', comparisonSideTexts.tooManyEdits)
}
