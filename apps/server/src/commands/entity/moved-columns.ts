import { columnName, columnsOf } from '@cadmus/model/columns'
import { visibleText } from '@cadmus/model/display'
import { auditTexts } from '@cadmus/model/messages/audit'
import type { AuditChange } from '../../store/audit.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { named } from '../audit.ts'

type Entities = ReadonlyMap<number, Pick<StoredEntity, 'id' | 'content'>>

/** Adds to the entries of entities which columns moved from one to another; a column is the same by its uid. */
export function withMoves(entries: readonly AuditChange[], before: Entities, after: Entities): AuditChange[] {
  const former = new Map<string, { entityId: number; name: string }>()
  for (const { id, content } of before.values())
    for (const column of columnsOf(content)) former.set(column.uid, { entityId: id, name: columnName(column) })
  const moves = [...after.values()].flatMap(({ id: to, content }) =>
    columnsOf(content).flatMap(({ uid }) => {
      const from = former.get(uid)
      return from === undefined || from.entityId === to ? [] : [{ from: from.entityId, to, name: from.name }]
    }),
  )
  const entityName = (id: number) => visibleText(after.get(id)?.content.name ?? '')
  const sentencesOf = (id: number) =>
    [...Map.groupBy(moves, ({ from, to }) => `${from} ${to}`).values()].flatMap(group => {
      const [{ from, to } = { from: 0, to: 0 }] = group
      const names = named(group.map(({ name }) => visibleText(name)))
      if (from === id) return [auditTexts.movedTo(names, entityName(to))]
      return to === id ? [auditTexts.movedFrom(names, entityName(from))] : []
    })
  if (moves.length === 0) return [...entries]
  return entries.map(entry => {
    const sentences = entry.kind === 'ENTITY' ? sentencesOf(entry.target_id) : []
    return { ...entry, description: [entry.description, ...sentences].join('; ') }
  })
}
