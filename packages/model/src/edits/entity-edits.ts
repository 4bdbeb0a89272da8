import type { EntityContent } from '../entity.ts'
import { addAttributes } from './add-attributes.ts'
import { addRelationships } from './add-relationships.ts'
import { changeAttributes } from './change-attributes.ts'
import { changeEntity } from './change-entity.ts'
import { changeRelationships } from './change-relationships.ts'
import { changeScopes } from './change-scopes.ts'
import { applyAll, type Definition, type Definitions, invertAll } from './definition.ts'
import type { EntityEdit } from './entity-edit.ts'
import { moveColumns } from './move-columns.ts'
import { removeAttributes } from './remove-attributes.ts'
import { removeRelationships } from './remove-relationships.ts'

const definitions = {
  changeEntity,
  changeScopes,
  addAttributes,
  removeAttributes,
  changeAttributes,
  addRelationships,
  removeRelationships,
  changeRelationships,
  moveColumns,
} satisfies Definitions<EntityContent, EntityEdit>

/** Applies edits without validation; check the result with `entityProblems`. */
export function applyEntityEdits(content: EntityContent, edits: readonly EntityEdit[]): EntityContent {
  return applyAll(definitionOf, content, edits)
}

/** The inverse of the edits; `content` is the state before them. */
export function invertEntityEdits(content: EntityContent, edits: readonly EntityEdit[]): EntityEdit[] {
  return invertAll(definitionOf, content, edits)
}

function definitionOf({ kind }: EntityEdit): Definition<EntityContent, EntityEdit> {
  return definitions[kind]
}
