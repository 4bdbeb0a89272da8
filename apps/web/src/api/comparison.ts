import {
  compareConsequences,
  compareDiagram,
  compareDiagramRows,
  compareManifest,
  compareManifestEntity,
  compareMigration,
  type ComparedRows,
  type ScriptSide,
  type Side,
} from '@cadmus/model/contract/comparison'
import type { DatabaseType } from '@cadmus/model/database-types'
import type { MigrationDirection, MigrationNaming } from '@cadmus/model/migration-step'
import { diagramLimits } from '@cadmus/model/diagram/view'
import { callApi } from './client.ts'
import { keys, scoped } from './query-client.ts'
import type { Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

/** From `before` to `after`, both states of the manifest `manifestId` unless a side names another. */
export type ComparedSides = { manifestId: number; before: Side; after: Side }

/** Below the keys of manifests, because any change in one may change its comparisons. */
function keyOf(part: string, { manifestId, before, after }: ComparedSides, ...more: readonly unknown[]) {
  return [...keys.manifests, 'comparison', part, manifestId, before, after, ...more] as const
}

/** What differs, by uid. */
export function comparisonQuery(sides: ComparedSides, scope?: Scope) {
  const read = async (options: CallOptions) => callApi(compareManifest, inputOf(sides), options)
  return scoped(keyOf('differences', sides), read, scope)
}

/** The contents of an entity on both sides; null where it does not exist. */
export function comparedEntityQuery(sides: ComparedSides, uid: string, scope?: Scope) {
  const { params, body } = inputOf(sides)
  const read = async (options: CallOptions) =>
    callApi(compareManifestEntity, { params, body: { ...body, uid } }, options)
  return scoped(keyOf('entity', sides, uid), read, scope)
}

/** What the difference means for the tables of a database, the API and its scopes. */
export async function readConsequences(sides: ComparedSides, database: DatabaseType, options: CallOptions) {
  const { params, body } = inputOf(sides)
  return callApi(compareConsequences, { params, body: { ...body, database } }, options)
}

export function consequencesQuery(sides: ComparedSides, database: DatabaseType, scope?: Scope) {
  const read = async (options: CallOptions) => readConsequences(sides, database, options)
  return scoped(keyOf('consequences', sides, database), read, scope)
}

export type MigrationChoice = { database: DatabaseType; direction: MigrationDirection; naming: MigrationNaming }

/** The script by which the tables of one side become those of the other. */
export function migrationQuery(sides: ComparedSides, choice: MigrationChoice, script: NumberedScript | null = null) {
  const { params, body } = inputOf(sides)
  const before = script?.side ?? sides.before
  const read = async (options: CallOptions) =>
    callApi(compareMigration, { params, body: { ...body, before, ...choice } }, options)
  return scoped(keyOf('migration', sides, choice, script?.number), read)
}

/** A script in the place of the state before, with a number that stands for it in keys, as it may be long. */
export type NumberedScript = { number: number; side: ScriptSide }

/** The cards and links of both sides. */
export function comparedDiagramQuery(sides: ComparedSides, scope?: Scope) {
  const read = async (options: CallOptions) => callApi(compareDiagram, inputOf(sides), options)
  return scoped(keyOf('diagram', sides), read, scope)
}

/** The rows of cards, by uid, in any number; those that do not exist are left out. */
export async function comparedRows(
  sides: ComparedSides,
  uids: readonly string[],
  options: CallOptions = {},
): Promise<Map<string, ComparedRows['entities'][number]['rows']>> {
  const { params, body } = inputOf(sides)
  const rows = new Map<string, ComparedRows['entities'][number]['rows']>()
  for (let start = 0; start < uids.length; start += diagramLimits.rowsAtOnce) {
    const part = uids.slice(start, start + diagramLimits.rowsAtOnce)
    const { entities } = await callApi(compareDiagramRows, { params, body: { ...body, uids: part } }, options)
    for (const entity of entities) rows.set(entity.uid, entity.rows)
  }
  return rows
}

function inputOf({ manifestId, before, after }: ComparedSides) {
  return { params: { id: manifestId }, body: { before, after } }
}
