import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import type { Problem, ProblemStep } from '@cadmus/model/problem'
import type { Db } from '../../store/database.ts'
import { columnsByUids, columnsOf } from '../../store/entity-column.ts'
import { takenUids } from '../../store/uids.ts'

/** Uids in use by another entity or manifest, or by a column of another entity. */
export async function foreignUids(
  db: Db,
  organisationId: number,
  uids: readonly string[],
  entityId: number,
): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set()
  const columns = await columnsByUids(db, organisationId, uids)
  const others = columns.filter(column => column.entityId !== entityId).map(({ uid }) => uid)
  return new Set([...others, ...(await takenUids(db, organisationId, uids, entityId))])
}

/** New uids must not be in use, because items are identified by them. */
export async function uidProblems(
  db: Db,
  organisationId: number,
  content: EntityContent,
  { previous, id }: { previous?: EntityContent | undefined; id: number },
): Promise<Problem[]> {
  const before = new Set(previous ? columnsOf(previous).map(({ uid }) => uid) : [])
  const added = columnsOf(content).filter(({ uid }) => !before.has(uid))
  const own = previous ? [] : [content.uid]
  const foreign = await foreignUids(db, organisationId, [...own, ...added.map(({ uid }) => uid)], id)
  if (foreign.size === 0) return []
  const place: ProblemStep = { kind: 'entity', id, name: content.name }
  const attributes = content.typeAttributes.map((item): ColumnStep => ({ ...item, kind: 'typeAttribute' }))
  const relationships = content.entityAttributes.map(({ uid, foreignKeyTypeAttribute: name }): ColumnStep => ({
    kind: 'entityAttribute',
    uid,
    name,
  }))
  const columns = [...attributes, ...relationships].filter(({ uid }) => !before.has(uid) && foreign.has(uid))
  return [
    ...(own.some(uid => foreign.has(uid)) ? [problem(content.uid, [place])] : []),
    ...columns.map(step => problem(step.uid, [place, step])),
  ]
}

type ColumnStep = Extract<ProblemStep, { kind: 'typeAttribute' | 'entityAttribute' }>

function problem(uid: string, path: readonly ProblemStep[]): Problem {
  return { severity: 'error', code: 'invalid.uid', message: messages.uidTaken(uid), path, field: 'uid' }
}
